# starts a process in a user namespace with clone
my ($pid, $error) = call('clone', 0x10000011, 0, 0, 0, 0);
POSIX::_exit(0) if $pid == 0;
contained("clone: $error") if $pid == -1;
waitpid($pid, 0);
escaped('started a process in a user namespace');
