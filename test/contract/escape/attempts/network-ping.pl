# pings the host's own addresses
my @errors;
for my $address (split /,/, $given{addresses}) {
  socket(my $socket, AF_INET, SOCK_DGRAM, 1) or contained('socket: ' . failure());
  my $echo = pack('CCnnn', 8, 0, 0, 0, 1);
  defined send($socket, $echo, 0, inet($address, 0)) and escaped("pinged $address");
  push @errors, failure();
}
not_applicable('the host has no address but loopback') if !@errors;
contained("send: @errors");
