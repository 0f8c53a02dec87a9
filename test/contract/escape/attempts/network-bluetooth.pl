# opens bluetooth and radio sockets
my @errors;
for my $pair ([31, 5, 0], [31, 3, 1], [39, 5, 0], [36, 2, 0], [35, 2, 0]) {
  socket(my $socket, $pair->[0], $pair->[1], $pair->[2]) and escaped("family $pair->[0]");
  push @errors, failure();
}
contained("socket: @errors");
