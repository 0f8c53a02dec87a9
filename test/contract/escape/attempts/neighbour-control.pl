# sets priority, processors and limits of a process in another box
my $pid = $given{neighbour} + 0;
$! = 0;
setpriority(0, $pid, 0) and escaped('set its priority');
my $first = failure();
my $mask = "\xff" x 128;
my ($done, $error) = call('sched_setaffinity', $pid, 128, $mask);
escaped('set its processors') if $done != -1;
my $limit = "\0" x 16;
my ($read, $refused) = call('prlimit64', $pid, 7, 0, $limit);
escaped('read its limits') if $read != -1;
contained("setpriority: $first, sched_setaffinity: $error, prlimit64: $refused");
