# connects to the socket of a container engine
my @errors;
for my $path ($given{dockerBait}, $given{dockerSocket} // '', '/var/run/docker.sock', '/run/docker.sock', '/run/containerd/containerd.sock', '/run/podman/podman.sock') {
  next if $path eq '' || length($path) > 107;
  socket(my $socket, AF_UNIX, SOCK_STREAM, 0) or contained('socket: ' . failure());
  connect($socket, pack_sockaddr_un($path)) and escaped("connected to $path");
  push @errors, failure();
}
my %seen; contained('connect: ' . join ' ', grep { !$seen{$_}++ } @errors);
