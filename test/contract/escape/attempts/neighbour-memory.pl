# reads the memory of a process in another box
my $buffer = "\0" x 64;
my $local = pack('pQ', $buffer, 64);
my $remote = pack('QQ', 0x400000, 64);
my ($count, $error) = call('process_vm_readv', $given{neighbour} + 0, $local, 1, $remote, 1, 0);
escaped('read its memory') if $count != -1 || $error eq 'EFAULT';
contained("process_vm_readv: $error");
