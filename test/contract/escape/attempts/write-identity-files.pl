# replaces the resolver, the hosts file and the loader's configuration
for my $path (qw(/etc/resolv.conf /etc/hosts /etc/hostname /etc/ld.so.preload /etc/ld.so.cache /etc/nsswitch.conf)) {
  sysopen(my $file, $path, O_WRONLY) and escaped("opened $path");
  rename($path, "$path.old") and escaped("moved $path");
}
contained('open: ' . failure());
