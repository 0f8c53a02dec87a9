# registers a binary format handler
for my $path ('/proc/sys/fs/binfmt_misc/register', '/proc/sys/fs/binfmt_misc/status') {
  sysopen(my $file, $path, O_WRONLY) and escaped("opened $path");
}
contained('open: ' . failure());
