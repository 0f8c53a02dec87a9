# looks for the caller's secrets in the command lines of its parents
my ($pid, $bytes) = (getppid(), '');
for (1 .. 20) {
  $bytes .= read_bytes("/proc/$pid/cmdline", 65536) // '';
  my $parent = status_of('PPid', $pid) // last;
  last if $parent == 0;
  $pid = $parent;
}
contained('none can be read') if $bytes eq '';
escaped('bytes ' . unpack('H*', $bytes));
