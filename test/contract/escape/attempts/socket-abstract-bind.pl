# takes an abstract name that a program of the host could connect to
socket(my $socket, AF_UNIX, SOCK_STREAM, 0) or contained('socket: ' . failure());
bind($socket, pack('Sa*', AF_UNIX, "\0hotcell-$given{token}")) or contained('bind: ' . failure());
listen($socket, 4) or contained('listen: ' . failure());
let_host_act();
contained('the host could not reach it');
