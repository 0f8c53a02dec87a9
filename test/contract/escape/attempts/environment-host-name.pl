# asks for the name of the host
my @names = ((POSIX::uname())[1], read_bytes('/etc/hostname', 256) // '', read_bytes('/proc/sys/kernel/hostname', 256) // '', $ENV{HOSTNAME} // '');
s/\s+$// for @names;
escaped('words ' . join ' ', map { unpack 'H*', $_ } @names);
