# starts processes that start processes (2 to the power of 10 at most, for 5 seconds)
pipe(my $from, my $to);
my $first = fork() // contained('fork: ' . failure());
if ($first == 0) {
  setpgrp(0, 0);
  close $from;
  for (1 .. 10) { fork() }
  syswrite($to, 'x');
  sleep 4;
  POSIX::_exit(0);
}
close $to;
my ($count, $end) = (0, time + 8);
while (time < $end && ready($from, 0, 1)) { $count += sysread($from, my $bytes, 4096) || last }
kill 'KILL', -$first;
escaped("$count processes") if $count > $given{processes};
contained("$count processes came to life");
