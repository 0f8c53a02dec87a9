# starts a process in a user namespace with clone3, whose arguments a filter cannot see
my $arguments = pack('Q8', 0x10000000, 0, 0, 0, 17, 0, 0, 0);
my ($pid, $error) = call('clone3', $arguments, 64);
POSIX::_exit(0) if $pid == 0;
contained("clone3: $error") if $pid == -1;
waitpid($pid, 0);
escaped('started a process in a user namespace');
