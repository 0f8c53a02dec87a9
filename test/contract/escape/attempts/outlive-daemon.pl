# starts a daemon with a session of its own that outlives it (60 seconds at most)
my $pid = fork() // contained('fork: ' . failure());
if ($pid == 0) {
  POSIX::setsid();
  my $second = fork();
  POSIX::_exit(0) if $second;
  $SIG{$_} = 'IGNORE' for qw(TERM INT HUP QUIT);
  chdir '/';
  POSIX::close($_) for 0 .. 2;
  my $end = time + 60;
  while (time < $end) { select(undef, undef, undef, 0.5) }
  POSIX::_exit(0);
}
waitpid($pid, 0);
contained('it ended, and nothing of it was left');
