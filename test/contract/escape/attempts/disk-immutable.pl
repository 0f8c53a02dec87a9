# marks a file so that nobody can remove it
open(my $file, '>', "$given{tmp}/immutable") or contained('create: ' . failure());
my $flags = pack('L', 0x10);
ioctl($file, 0x40086602, $flags) and escaped('marked it immutable');
contained('ioctl: ' . failure());
