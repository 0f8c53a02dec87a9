# sets the scheduling and disk priority of processes outside
my @errors;
for my $pid (@given{qw(hotcell victimRoot victimOther)}) {
  my $parameter = pack('l', 0);
  my ($done, $error) = call('sched_setscheduler', $pid + 0, 0, $parameter);
  escaped("set the scheduler of $pid") if $done != -1;
  my ($disk, $refused) = call('ioprio_set', 1, $pid + 0, 0);
  escaped("set the disk priority of $pid") if $disk != -1;
  push @errors, $error, $refused;
}
contained("sched_setscheduler, ioprio_set: @errors");
