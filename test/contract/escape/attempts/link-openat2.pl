# climbs out with openat2 and every kind of resolution
my $path = '../' x 40 . substr($given{secret}, 1);
my @errors;
for my $base ('/', $given{tmp}, '/proc/self/root', '/proc/self/cwd') {
  my ($folder, $closed) = call('openat', -100, $base, 0x210000, 0);
  push(@errors, $closed), next if $folder == -1;
  for my $resolve (0, 0x10, 0x01, 0x04) {
    my ($file, $error) = call('openat2', $folder, $path, pack('QQQ', 0, 0, $resolve), 24);
    escaped("openat2 from $base with $resolve") if $file != -1;
    push @errors, $error;
  }
}
my %seen; contained(join ' ', grep { !$seen{$_}++ } @errors);
