# reads the table of the host's sockets
my $bytes = join '', map { read_bytes("/proc/net/$_", 200_000) // '' } qw(tcp tcp6 udp udp6 unix);
contained('nothing can be read') if $bytes eq '';
my $port = sprintf ':%04X ', $given{tcpPort};
escaped('sees the listener of the host') if index($bytes, $port) >= 0 || index($bytes, $given{abstract}) >= 0;
contained('the tables are its own');
