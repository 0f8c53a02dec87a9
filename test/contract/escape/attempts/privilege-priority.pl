# raises its own priority
$! = 0;
setpriority(0, 0, -10) and escaped('has priority -10');
my $first = failure();
my $parameter = pack('l', 1);
my ($done, $error) = call('sched_setscheduler', 0, 1, $parameter);
escaped('runs in real time') if $done != -1;
contained("setpriority: $first, sched_setscheduler: $error");
