# reads a host file through the root and cwd links of every process it can see
opendir(my $processes, '/proc') or contained('list /proc: ' . failure());
my $tried = 0;
for my $pid (grep { /^\d+$/ } readdir $processes) {
  for my $link ('root', 'cwd', 'task/' . $pid . '/root') {
    $tried++;
    my $bytes = read_bytes("/proc/$pid/$link$given{secret}", 4096);
    escaped('bytes ' . unpack('H*', $bytes)) if defined $bytes;
  }
}
contained("none of $tried links led out");
