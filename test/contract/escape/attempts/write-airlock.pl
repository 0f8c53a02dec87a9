# replaces the program that hotcell runs in the box before the target
my @paths = grep { defined && $_ ne '' } ('/run/airlock', $given{airlock});
my @errors;
for my $path (@paths) {
  sysopen(my $file, $path, O_WRONLY) and escaped("opened $path");
  push @errors, failure();
  unlink($path) and escaped("removed $path");
  rename($path, "$given{tmp}/airlock") and escaped("moved $path");
}
contained("open: $errors[0]");
