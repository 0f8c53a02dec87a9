# opens raw sockets
my @errors;
for my $pair ([AF_INET, 1], [AF_INET, 255], [AF_INET6, 58], [AF_INET6, 255]) {
  socket(my $socket, $pair->[0], SOCK_RAW, $pair->[1]) and escaped("raw socket for protocol $pair->[1]");
  push @errors, failure();
}
contained("socket: @errors");
