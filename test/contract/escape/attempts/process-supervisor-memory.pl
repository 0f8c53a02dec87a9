# takes over the processes of hotcell in the box
my ($tried, $error) = (0, 'there is none');
for my $pid (grep { $_ > 0 && $_ != $$ } getppid(), 1) {
  $tried++;
  sysopen(my $file, "/proc/$pid/mem", O_RDWR) and escaped("opened the memory of $pid");
  $error = failure();
}
contained("open: $error");
