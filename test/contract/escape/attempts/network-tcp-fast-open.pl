# sends data with the first packet, which some filters do not see as a connection
socket(my $socket, AF_INET, SOCK_STREAM, 6) or contained('socket: ' . failure());
local $SIG{ALRM} = sub { escaped('a packet went out and nobody answered') };
alarm 3;
defined send($socket, $given{token}, 0x20000000, inet('127.0.0.1', $given{tcpPort})) or contained('send: ' . failure());
escaped('sent data to the host');
