# reads the hardware addresses of the host's interfaces
my $bytes = '';
for my $path (glob('/sys/class/net/*/address')) { $bytes .= read_bytes($path, 64) // '' }
$bytes .= read_bytes('/proc/net/arp', 65536) // '';
if (socket(my $socket, 16, SOCK_RAW, 0)) {
  my $message = pack('LSSLL', 32, 18, 0x301, 1, 0) . pack('CxSlLL', 0, 0, 0, 0, 0);
  if (defined send($socket, $message, 0, pack('SSLL', 16, 0, 0, 0)) && ready($socket, 0, 1)) {
    recv($socket, my $reply, 65536, 0);
    $bytes .= join ' ', map { join ':', unpack('(H2)*', substr($reply, $_, 6)) } 0 .. length($reply) - 6;
  }
}
contained('nothing can be read') if $bytes eq '';
escaped('bytes ' . unpack('H*', substr($bytes, 0, 200_000)));
