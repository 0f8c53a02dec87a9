# looks for the files that hold its own limits and opens them for writing
my @queue = map { [$_, 0] } glob('/sys/fs/cgroup/*'), '/sys/fs/cgroup';
my %limit = map { $_ => 1 } qw(memory.limit_in_bytes memory.max pids.max cpu.max cpu.cfs_quota_us cgroup.procs tasks cgroup.kill devices.allow);
my ($seen, $end) = (0, time + 5);
while (@queue && $seen < 20_000 && time < $end) {
  my ($folder, $depth) = @{shift @queue};
  opendir(my $list, $folder) or next;
  for my $name (grep { !/^\.\.?$/ } readdir $list) {
    $seen++;
    my $path = "$folder/$name";
    push @queue, [$path, $depth + 1] if $depth < 4 && !-l $path && -d _;
    next if !$limit{$name};
    sysopen(my $file, $path, O_WRONLY) and escaped("opened $path");
  }
}
contained("none of $seen entries can be opened for writing");
