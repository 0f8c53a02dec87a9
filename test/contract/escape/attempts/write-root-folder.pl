# makes a file in / and in /etc
for my $path ("/hotcell-$given{token}", "/etc/hotcell-$given{token}", "/var/hotcell-$given{token}", "/run/hotcell-$given{token}") {
  sysopen(my $file, $path, O_WRONLY | O_CREAT, 0644) and escaped("made $path");
}
contained('create: ' . failure());
