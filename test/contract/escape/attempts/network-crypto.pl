# opens a socket to the kernel's ciphers
socket(my $socket, 38, 5, 0) or contained('socket: ' . failure());
escaped('opened AF_ALG');
