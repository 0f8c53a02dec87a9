# reads the kernel's log with syslog
my $buffer = "\0" x 4096;
must_be_refused('syslog', 3, $buffer, 4096);
