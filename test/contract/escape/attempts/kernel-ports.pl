# asks for the processor's ports
my ($done, $error) = call('iopl', 3);
escaped('has all ports') if $done != -1;
must_fail('ioperm', 0x80, 1, 1);
