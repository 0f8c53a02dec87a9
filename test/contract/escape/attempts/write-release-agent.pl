# looks for a cgroup release agent that it can set
my @folders = ('/sys/fs/cgroup', glob('/sys/fs/cgroup/*'));
for my $folder (@folders) {
  sysopen(my $file, "$folder/release_agent", O_WRONLY) and escaped("opened $folder/release_agent");
}
contained('open: ' . failure());
