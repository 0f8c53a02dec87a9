# starts processes until it is refused (2,000 at most)
my ($end, @pids, $error) = (time + 10);
while (@pids < 2000 && time < $end) {
  my $pid = fork();
  $error = failure(), last if !defined $pid;
  if ($pid == 0) { sleep 20; POSIX::_exit(0) }
  push @pids, $pid;
}
kill 'KILL', @pids;
escaped(@pids . ' processes') if @pids > $given{processes} || !defined $error;
contained("fork: $error after " . @pids);
