# opens packet sockets, which see every frame
my @errors;
for my $type (SOCK_RAW, SOCK_DGRAM, 10) {
  socket(my $socket, 17, $type, 0x0300) and escaped("packet socket of type $type");
  push @errors, failure();
}
contained("socket: @errors");
