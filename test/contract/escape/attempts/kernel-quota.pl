# reads the disk quota of the host
my $answer = "\0" x 128;
must_fail('quotactl', 0x80000400, $given{rootDisk} || '/dev/vda', 0, $answer);
