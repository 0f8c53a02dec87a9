# makes read-only mounts writable
my @errors;
for my $path ('/', '/usr', '/etc', '/proc', '/proc/sys', '/sys', $given{work}) {
  my ($done, $error) = call('mount', 0, $path, 0, 0x1020, 0);
  escaped("made $path writable") if $done != -1;
  push @errors, $error;
}
my %seen; contained('mount: ' . join ' ', grep { !$seen{$_}++ } @errors);
