# signals outside processes through process handles
my @errors;
for my $pid (@given{qw(hotcell victimRoot victimOther)}) {
  my ($handle, $closed) = call('pidfd_open', $pid + 0, 0);
  push(@errors, "open $closed"), next if $handle == -1;
  my ($done, $error) = call('pidfd_send_signal', $handle, 23, 0, 0);
  escaped("signalled $pid") if $done != -1;
  push @errors, "send $error";
}
contained(join ', ', @errors);
