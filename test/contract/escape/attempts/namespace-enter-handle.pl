# enters the namespaces of processes outside through process handles
my @errors;
for my $pid (1, @given{qw(hotcell victimRoot victimOther)}) {
  my ($handle, $closed) = call('pidfd_open', $pid + 0, 0);
  push(@errors, "open $closed"), next if $handle == -1;
  my ($done, $error) = call('setns', $handle, 0x20000);
  escaped("entered the mounts of $pid") if $done != -1;
  push @errors, $error;
}
contained('setns: ' . join ', ', @errors);
