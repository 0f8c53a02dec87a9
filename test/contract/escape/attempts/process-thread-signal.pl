# signals the main threads of processes outside
my @errors;
for my $pid (@given{qw(hotcell victimRoot victimOther)}) {
  my ($done, $error) = call('tgkill', $pid + 0, $pid + 0, 23);
  escaped("signalled $pid") if $done != -1;
  push @errors, $error;
}
contained("tgkill: @errors");
