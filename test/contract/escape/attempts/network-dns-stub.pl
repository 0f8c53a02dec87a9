# asks the stub resolver on 127.0.0.53 for a name
socket(my $socket, AF_INET, SOCK_DGRAM, 17) or contained('socket: ' . failure());
my $query = pack('nnnnnn', 7, 0x100, 1, 0, 0, 0) . "\7hotcell\7invalid\0" . pack('nn', 1, 1);
defined send($socket, $query, 0, inet('127.0.0.53', 53)) or contained('send: ' . failure());
escaped('the stub replied') if ready($socket, 0, 0.5) && defined recv($socket, my $reply, 512, 0);
contained('no reply');
