# writes one big file (4 GiB at most)
local $SIG{XFSZ} = 'IGNORE';
my $most = ($given{file} > $given{disk} ? $given{disk} : $given{file}) * 1.1 + (16 << 20);
my ($bytes, $done, $error) = ('x' x (1 << 20), 0);
sysopen(my $file, "$given{tmp}/big", O_WRONLY | O_CREAT, 0600) or contained('create: ' . failure());
while ($done < $most && $done < 4 << 30) {
  my $count = syswrite($file, $bytes);
  $error = failure(), last if !$count;
  $done += $count;
  print "progress: $done\n" if $done % (16 << 20) == 0;
}
contained("refused after @{[$done >> 20]} MiB: $error") if defined $error;
escaped("a file of @{[$done >> 20]} MiB");
