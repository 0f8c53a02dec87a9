# loads a bpf map and a program
my $map = pack('LLLL', 2, 4, 8, 1) . "\0" x 112;
my ($file, $error) = call('bpf', 0, $map, 128);
escaped('made a bpf map') if $file != -1;
my $code = pack('CCsl', 0xb7, 0, 0, 0) . pack('CCsl', 0x95, 0, 0, 0);
my $licence = "GPL\0";
my $program = pack('LLppLLQL', 1, 2, $code, $licence, 0, 0, 0, 0) . "\0" x 76;
must_be_refused('bpf', 5, $program, 120);
