# looks for real kernel addresses in /proc/kallsyms
my $text = read_bytes('/proc/kallsyms', 65536) // contained('read: ' . failure());
escaped("address $1") if $text =~ /^(?!0+ )([0-9a-f]{8,}) /m;
contained('every address is zero');
