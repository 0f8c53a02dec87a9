# sends datagrams to a UDP listener on the host's own addresses
my @errors;
for my $pair (split /,/, "$given{addresses},$given{addresses6}") {
  my ($address, $scope) = split /%/, $pair;
  next if !defined $address || $address eq '';
  my $is_six = $address =~ /:/;
  socket(my $socket, $is_six ? AF_INET6 : AF_INET, SOCK_DGRAM, 17) or contained('socket: ' . failure());
  defined send($socket, $given{token}, 0, $is_six ? inet6($address, $given{udpPort}, $scope) : inet($address, $given{udpPort}))
    and escaped("sent to $address");
  push @errors, failure();
}
not_applicable('the host has no address but loopback') if !@errors;
contained("send: @errors");
