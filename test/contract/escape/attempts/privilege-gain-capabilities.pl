# gives itself every capability
my $header = pack('Ll', 0x20080522, 0);
my $wish = pack('LLLLLL', ~0 & 0xffffffff, ~0 & 0xffffffff, ~0 & 0xffffffff, 0x1ff, 0x1ff, 0x1ff);
must_fail('capset', $header, $wish);
