# writes 2 GiB to its error output
my $bytes = 'x' x 65535 . "\n";
for (1 .. 1 << 15) { defined syswrite(STDERR, $bytes) or last }
escaped('2 GiB written, and all of it was taken');
