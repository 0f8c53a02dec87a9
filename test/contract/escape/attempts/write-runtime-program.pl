# opens the program files of the processes it can see for writing, the runtime's among them
opendir(my $processes, '/proc') or contained('list /proc: ' . failure());
my $tried = 0;
for my $pid (grep { /^\d+$/ } readdir $processes) {
  $tried++;
  sysopen(my $file, "/proc/$pid/exe", O_WRONLY) and escaped("opened /proc/$pid/exe");
}
contained("none of $tried programs can be opened for writing: " . failure());
