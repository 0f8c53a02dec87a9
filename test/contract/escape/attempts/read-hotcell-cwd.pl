# follows the working folder link of the hotcell process
my $to = readlink("/proc/$given{hotcell}/cwd") // contained('readlink: ' . failure());
escaped("bytes " . unpack('H*', $to));
