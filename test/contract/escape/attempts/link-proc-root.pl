# reads a host file through /proc/self/root and /proc/thread-self/root
my $bytes = read_bytes("/proc/thread-self/root$given{secret}", 4096);
escaped('bytes ' . unpack('H*', $bytes)) if defined $bytes;
try_read("/proc/self/root$given{secret}");
