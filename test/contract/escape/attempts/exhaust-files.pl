# opens files until it is refused
my @held;
while (@held <= $given{openFiles} + 16 && @held < 1_100_000) {
  sysopen(my $file, '/dev/null', O_RDONLY) or contained('open: ' . failure() . ' after ' . @held);
  push @held, $file;
}
escaped(@held . ' open files');
