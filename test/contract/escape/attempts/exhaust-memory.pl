# takes memory until it is refused (4 GiB at most)
my $most = $given{memory} * 2 < 4 << 30 ? $given{memory} * 2 : 4 << 30;
pipe(my $from, my $to);
my $pid = fork() // contained('fork: ' . failure());
if ($pid == 0) {
  close $from;
  my @held;
  while (@held * (8 << 20) < $most) {
    push @held, 'x' x (8 << 20);
    syswrite($to, 'x');
  }
  sleep 1;
  POSIX::_exit(0);
}
close $to;
my ($count, $end) = (0, time + 20);
while (time < $end && ready($from, 0, 5)) {
  $count += sysread($from, my $bytes, 4096) || last;
  print 'progress: ', $count * (8 << 20), "\n" if $count % 4 == 0;
}
kill 'KILL', $pid;
waitpid($pid, 0);
escaped(($count * 8) . ' MiB') if $count * (8 << 20) > $given{memory} * 1.1;
contained("ended after @{[$count * 8]} MiB by " . ($? & 127 ? 'signal ' . ($? & 127) : 'status ' . ($? >> 8)));
