# looks for the caller's secrets in the environment of every process it can see
opendir(my $processes, '/proc') or contained('list /proc: ' . failure());
my ($bytes, $count) = ('', 0);
for my $pid (grep { /^\d+$/ } readdir $processes) {
  my $part = read_bytes("/proc/$pid/environ", 65536) // next;
  $bytes .= $part;
  $count++;
}
contained('none can be read') if !$count;
escaped('bytes ' . unpack('H*', substr($bytes, 0, 400_000)));
