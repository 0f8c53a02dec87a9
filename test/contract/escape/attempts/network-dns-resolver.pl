# asks the resolver of the host for a name
my $query = pack('nnnnnn', 7, 0x100, 1, 0, 0, 0) . "\7hotcell\7invalid\0" . pack('nn', 1, 1);
my @errors;
for my $server (split /,/, $given{resolvers}) {
  my $is_six = $server =~ /:/;
  socket(my $socket, $is_six ? AF_INET6 : AF_INET, SOCK_DGRAM, 17) or contained('socket: ' . failure());
  defined send($socket, $query, 0, $is_six ? inet6($server, 53) : inet($server, 53)) and escaped("sent a query to $server");
  push @errors, failure();
}
not_applicable('the host has no resolver outside loopback') if !@errors;
contained("send: @errors");
