# types into the terminal of the caller
my @errors;
for my $handle (\*STDIN, \*STDOUT, \*STDERR) {
  my $key = 'x';
  ioctl($handle, 0x5412, $key) and escaped('typed a key');
  push @errors, failure();
}
if (sysopen(my $terminal, '/dev/tty', O_RDWR)) {
  my $key = 'x';
  ioctl($terminal, 0x5412, $key) and escaped('typed a key into /dev/tty');
  push @errors, failure();
}
contained("ioctl: @errors");
