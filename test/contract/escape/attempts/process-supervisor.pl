# looks for files of the host that the processes of hotcell in the box hold open
my ($tried, @held) = (0);
opendir(my $processes, '/proc') or contained('list /proc: ' . failure());
for my $pid (grep { /^\d+$/ && $_ != $$ } readdir $processes) {
  opendir(my $folder, "/proc/$pid/fd") or next;
  for my $number (grep { /^\d+$/ } readdir $folder) {
    my $to = readlink("/proc/$pid/fd/$number") // next;
    $tried++;
    push @held, "$pid holds $to" if $to =~ m{^/} && $to ne '/dev/null' && $to !~ m{^/proc/};
  }
}
escaped(join ', ', @held) if @held;
contained("none among $tried open files");
