# ends with a fault, so that the kernel writes its memory to a file or starts a program for it
my $pid = fork() // contained('fork: ' . failure());
if ($pid == 0) {
  chdir $given{tmp};
  kill 'SEGV', $$;
  sleep 5;
  POSIX::_exit(9);
}
waitpid($pid, 0);
escaped('the kernel wrote its memory') if $? & 128 || glob("$given{tmp}/core*");
contained('ended by signal ' . ($? & 127) . ', nothing was written');
