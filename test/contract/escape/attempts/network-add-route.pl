# adds an address to the loopback interface through netlink
socket(my $socket, 16, SOCK_RAW, 0) or contained('socket: ' . failure());
my $attribute = pack('SS', 8, 2) . inet_aton('127.77.77.77');
my $body = pack('CCCCL', 2, 8, 0, 0, 1) . $attribute;
my $message = pack('LSSLL', 16 + length $body, 20, 0x605, 1, 0) . $body;
defined send($socket, $message, 0, pack('SSLL', 16, 0, 0, 0)) or contained('send: ' . failure());
ready($socket, 0, 1) && defined recv($socket, my $reply, 4096, 0) or contained('no reply');
my (undef, $type, undef, undef, undef, $code) = unpack('LSSLLl', $reply);
escaped('added an address') if $type == 2 && $code == 0;
contained('netlink: ' . error_name(-$code));
