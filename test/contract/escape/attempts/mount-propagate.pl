# makes its mounts shared with the host
my @errors;
for my $path ('/', $given{tmp}) {
  my ($done, $error) = call('mount', 0, $path, 0, 0x104000, 0);
  escaped("made $path shared") if $done != -1;
  push @errors, $error;
}
contained("mount: @errors");
