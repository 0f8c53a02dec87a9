# makes a network interface through netlink
socket(my $socket, 16, SOCK_RAW, 0) or contained('socket: ' . failure());
my $name = substr("hc$given{token}", 0, 14) . "\0";
my $attribute = pack('SS', 4 + length $name, 3) . $name . "\0" x (-length($name) % 4);
my $kind = pack('SSa8', 10, 1, "dummy\0");
my $info = pack('SS', 4 + length $kind, 18) . $kind;
my $body = pack('CxSlLL', 0, 0, 0, 0, 0) . $attribute . $info;
my $message = pack('LSSLL', 16 + length $body, 16, 0x605, 1, 0) . $body;
defined send($socket, $message, 0, pack('SSLL', 16, 0, 0, 0)) or contained('send: ' . failure());
ready($socket, 0, 1) && defined recv($socket, my $reply, 4096, 0) or contained('no reply');
my (undef, $type, undef, undef, undef, $code) = unpack('LSSLLl', $reply);
escaped("made $name") if $type == 2 && $code == 0;
contained('netlink: ' . error_name(-$code));
