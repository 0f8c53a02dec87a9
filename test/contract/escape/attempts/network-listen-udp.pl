# opens a UDP port that the host can be reached by
socket(my $socket, AF_INET, SOCK_DGRAM, 17) or contained('socket: ' . failure());
bind($socket, inet('0.0.0.0', $given{freePort})) or contained('bind: ' . failure());
let_host_act();
escaped('a datagram of the host came in') if ready($socket, 0, 0.3);
contained('nothing came in');
