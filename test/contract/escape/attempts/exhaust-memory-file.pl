# takes memory with files in memory (4 GiB at most)
my $most = $given{memory} * 2 < 4 << 30 ? $given{memory} * 2 : 4 << 30;
my ($first, $refused) = call('memfd_create', 'hotcell', 0);
contained("memfd_create: $refused") if $first == -1;
pipe(my $from, my $to);
my $pid = fork() // contained('fork: ' . failure());
if ($pid == 0) {
  close $from;
  local $SIG{XFSZ} = 'IGNORE';
  my ($bytes, $done) = ('x' x (1 << 20), 0);
  while ($done < $most) {
    my ($number, $error) = call('memfd_create', 'hotcell', 0);
    POSIX::_exit(1) if $number == -1;
    for (1 .. 32) {
      my ($count) = call('write', $number, $bytes, length $bytes);
      last if $count == -1;
      $done += $count;
      syswrite($to, 'x');
    }
  }
  sleep 1;
  POSIX::_exit(0);
}
close $to;
my ($count, $end) = (0, time + 20);
while (time < $end && ready($from, 0, 5)) { $count += sysread($from, my $bytes, 4096) || last }
kill 'KILL', $pid;
waitpid($pid, 0);
escaped("$count MiB in files in memory") if $count * (1 << 20) > $given{memory} * 1.1;
contained("ended after $count MiB");
