# opens SCTP, DCCP, UDP-Lite and L2TP sockets
my @errors;
for my $kind ([SOCK_STREAM, 132], [5, 132], [6, 33], [SOCK_DGRAM, 136], [SOCK_DGRAM, 115]) {
  for my $family (AF_INET, AF_INET6) {
    if (socket(my $socket, $family, $kind->[0], $kind->[1])) {
      my $address = $family == AF_INET ? inet('127.0.0.1', $given{udpPort}) : inet6('::1', $given{udpPort});
      connect($socket, $address) && defined send($socket, $given{token}, 0) && ready($socket, 0, 0.3)
        && defined recv($socket, my $reply, 64, 0) && escaped("protocol $kind->[1] reached the host");
    }
    push @errors, failure();
  }
}
my %seen; contained(join ' ', grep { !$seen{$_}++ } @errors);
