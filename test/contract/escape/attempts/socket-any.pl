# connects to every socket it finds in /run, /tmp and /var
my @queue = map { [$_, 0] } ('/run', '/tmp', '/var/run', '/var/lib');
my ($seen, $found, $end) = (0, 0, time + 5);
while (@queue && $seen < 20_000 && time < $end) {
  my ($folder, $depth) = @{shift @queue};
  next if $folder eq $given{tmp};
  opendir(my $list, $folder) or next;
  for my $name (grep { !/^\.\.?$/ } readdir $list) {
    $seen++;
    my $path = "$folder/$name";
    my @fact = lstat $path or next;
    push @queue, [$path, $depth + 1] if -d _ && $depth < 3;
    next if !-S _ || length($path) > 107;
    $found++;
    socket(my $socket, AF_UNIX, SOCK_STREAM, 0) or contained('socket: ' . failure());
    connect($socket, pack_sockaddr_un($path)) and escaped("connected to $path");
  }
}
contained("$found sockets among $seen entries");
