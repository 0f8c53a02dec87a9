# fills /dev/shm (4 GiB at most)
local $SIG{XFSZ} = 'IGNORE';
my $most = ($given{memory} > $given{disk} ? $given{memory} : $given{disk}) * 1.2 + (64 << 20);
my ($bytes, $done, $number, $error) = ('x' x (1 << 20), 0, 0);
FILL: while ($done < $most && $done < 4 << 30) {
  sysopen(my $file, '/dev/shm/fill-' . $number++, O_WRONLY | O_CREAT, 0600) or $error = failure(), last;
  for (1 .. 16) {
    my $count = syswrite($file, $bytes);
    $error = failure(), last FILL if !$count;
    $done += $count;
    print "progress: $done\n" if $done % (16 << 20) == 0;
  }
}
contained("refused after @{[$done >> 20]} MiB: $error") if defined $error;
escaped("@{[$done >> 20]} MiB in /dev/shm");
