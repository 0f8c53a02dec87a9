# writes 1 GiB to its error output
my $bytes = 'x' x 65535 . "\n";
for (1 .. 1 << 14) { defined syswrite(STDERR, $bytes) or last }
escaped('1 GiB written, and all of it was taken');
