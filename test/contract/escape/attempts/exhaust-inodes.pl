# makes empty files until it is refused (1,000,000 at most)
my $most = $given{disk} / 4096 * 1.5 + 1000;
$most = 1_000_000 if $most > 1_000_000;
my ($done, $error, $end) = (0, undef, time + 25);
while ($done < $most && time < $end) {
  mkdir "$given{tmp}/many-" . int($done / 1000) if $done % 1000 == 0;
  sysopen(my $file, "$given{tmp}/many-" . int($done / 1000) . "/$done", O_WRONLY | O_CREAT, 0600) or $error = failure(), last;
  $done++;
  print "progress: $done\n" if $done % 1000 == 0;
}
contained("refused after $done: $error") if defined $error;
escaped("$done files") if $done >= $most;
contained("$done files in 25 seconds");
