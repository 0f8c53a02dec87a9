# starts a daemon that keeps its output open (60 seconds at most)
my $pid = fork() // contained('fork: ' . failure());
if ($pid == 0) {
  POSIX::setsid();
  POSIX::_exit(0) if fork();
  $SIG{$_} = 'IGNORE' for qw(TERM INT HUP QUIT);
  my $end = time + 60;
  while (time < $end) { select(undef, undef, undef, 0.5) }
  POSIX::_exit(0);
}
waitpid($pid, 0);
contained('it ended, and nothing of it was left');
