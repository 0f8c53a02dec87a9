# connects to a TCP listener on the host's own addresses
my @errors;
for my $address (split /,/, $given{addresses}) {
  socket(my $socket, AF_INET, SOCK_STREAM, 6) or contained('socket: ' . failure());
  connect($socket, inet($address, $given{tcpPort})) and escaped("connected to $address");
  push @errors, failure();
}
not_applicable('the host has no address but loopback') if !@errors;
contained("connect: @errors");
