# opens /dev/loop-control and the loop devices
for my $path ('/dev/loop-control', map { "/dev/loop$_" } 0 .. 3) {
  sysopen(my $file, $path, O_RDWR) and escaped("opened $path");
}
contained('open: ' . failure());
