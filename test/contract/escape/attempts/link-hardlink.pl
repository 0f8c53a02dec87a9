# links host files into its own folder
my @errors;
for my $path ($given{secret}, $given{openFile}, '/etc/passwd', '/etc/shadow', '/usr/bin/su') {
  link($path, "$given{tmp}/hard") and escaped("linked $path");
  push @errors, failure();
}
contained('link: ' . join ' ', @errors);
