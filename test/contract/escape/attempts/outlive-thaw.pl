# leaves stopped processes behind
my $pid = fork() // contained('fork: ' . failure());
if ($pid == 0) {
  POSIX::setsid();
  POSIX::close($_) for 0 .. 2;
  kill 'STOP', $$;
  sleep 30;
  POSIX::_exit(0);
}
select(undef, undef, undef, 0.2);
contained('it ended, and nothing of it was left');
