# connects to a TCP listener on the host's own IPv6 and link-local addresses
my @errors;
for my $pair (split /,/, $given{addresses6}) {
  my ($address, $scope) = split /%/, $pair;
  socket(my $socket, AF_INET6, SOCK_STREAM, 6) or contained('socket: ' . failure());
  connect($socket, inet6($address, $given{tcpPort}, $scope)) and escaped("connected to $address");
  push @errors, failure();
}
not_applicable('the host has no IPv6 address but loopback') if !@errors;
contained("connect: @errors");
