# makes a file in a world-writable folder of the host
my $path = "$given{openFolder}/planted-$given{token}";
sysopen(my $file, $path, O_WRONLY | O_CREAT, 0644) or contained('create: ' . failure());
escaped("made $path");
