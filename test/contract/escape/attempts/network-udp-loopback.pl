# sends a datagram to a UDP listener of the host on 127.0.0.1
socket(my $socket, AF_INET, SOCK_DGRAM, 17) or contained('socket: ' . failure());
defined send($socket, $given{token}, 0, inet('127.0.0.1', $given{udpPort})) or contained('send: ' . failure());
escaped('the host replied') if ready($socket, 0, 0.5) && defined recv($socket, my $reply, 64, 0);
contained('sent on a loopback of its own');
