# reopens host files through O_PATH handles and /proc/self/fd
my @errors;
for my $path ($given{secret}, $given{openFile}, '/etc/shadow') {
  my ($handle, $error) = call('openat', -100, $path, 0x200000, 0);
  push(@errors, $error), next if $handle == -1;
  my $bytes = read_bytes("/proc/self/fd/$handle", 4096);
  escaped('bytes ' . unpack('H*', $bytes)) if defined $bytes && $bytes ne '';
  sysopen(my $file, "/proc/self/fd/$handle", O_WRONLY) and escaped("opened $path for writing");
  push @errors, 'reopen ' . failure();
}
contained(join ', ', @errors);
