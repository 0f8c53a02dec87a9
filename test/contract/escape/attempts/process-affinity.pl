# sets the processors of processes outside
my @errors;
for my $pid (@given{qw(hotcell victimRoot victimOther)}) {
  my $mask = "\xff" x 128;
  my ($done, $error) = call('sched_setaffinity', $pid + 0, 128, $mask);
  escaped("set the processors of $pid") if $done != -1;
  push @errors, $error;
}
contained("sched_setaffinity: @errors");
