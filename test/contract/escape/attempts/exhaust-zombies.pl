# leaves ended processes behind without waiting for them (2,000 at most)
my ($count, $end) = (0, time + 10);
while ($count < 2000 && time < $end) {
  my $pid = fork();
  contained('fork: ' . failure() . " after $count") if !defined $pid;
  POSIX::_exit(0) if $pid == 0;
  $count++;
  escaped("$count ended processes") if $count > $given{processes};
}
contained("$count in 10 seconds");
