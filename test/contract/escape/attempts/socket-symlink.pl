# connects to a unix socket of the host through a symbolic link and through /proc
my @errors;
symlink($given{unixSocket}, "$given{tmp}/socket");
for my $path ("$given{tmp}/socket", "/proc/self/root$given{unixSocket}", "/proc/1/root$given{unixSocket}") {
  next if length($path) > 107;
  socket(my $socket, AF_UNIX, SOCK_STREAM, 0) or contained('socket: ' . failure());
  connect($socket, pack_sockaddr_un($path)) and escaped("connected through $path");
  push @errors, failure();
}
contained("connect: @errors");
