# sends a datagram to a world-writable unix socket of the host
socket(my $socket, AF_UNIX, SOCK_DGRAM, 0) or contained('socket: ' . failure());
send($socket, $given{token}, 0, pack_sockaddr_un($given{unixDatagram})) or contained('send: ' . failure());
escaped('sent a datagram');
