# opens a port that the host can be reached by
socket(my $socket, AF_INET, SOCK_STREAM, 6) or contained('socket: ' . failure());
bind($socket, inet('0.0.0.0', $given{freePort})) or contained('bind: ' . failure());
listen($socket, 4) or contained('listen: ' . failure());
let_host_act();
contained('the host could not reach it');
