# opens a socket to the virtual machine's host
my @errors;
for my $type (SOCK_STREAM, SOCK_DGRAM, 5) {
  socket(my $socket, 40, $type, 0) and escaped("vsock of type $type");
  push @errors, failure();
}
contained("socket: @errors");
