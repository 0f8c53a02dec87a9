# computes in four processes at once, while the host looks how much of its processors that takes
my @pids;
for (1 .. 4) {
  my $pid = fork() // last;
  if ($pid == 0) {
    my ($end, $sum) = (time + 15, 0);
    while (time < $end) { $sum += $_ for 1 .. 10_000 }
    POSIX::_exit(0);
  }
  push @pids, $pid;
}
let_host_act();
kill 'KILL', @pids;
contained(@pids . ' processes got their share');
