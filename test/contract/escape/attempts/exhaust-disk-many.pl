# fills its folder with files of 1 MiB (4 GiB at most)
local $SIG{XFSZ} = 'IGNORE';
my $most = $given{disk} * 1.5 + (64 << 20);
my ($bytes, $done, $error) = ('x' x (1 << 20), 0);
while ($done < $most && $done < 4 << 30) {
  sysopen(my $file, "$given{tmp}/fill-" . ($done >> 20), O_WRONLY | O_CREAT, 0600) or $error = failure(), last;
  my $count = syswrite($file, $bytes);
  $error = failure(), last if !$count;
  $done += $count;
  print "progress: $done\n" if $done % (16 << 20) == 0;
}
contained("refused after @{[$done >> 20]} MiB: $error") if defined $error;
escaped("@{[$done >> 20]} MiB on disk");
