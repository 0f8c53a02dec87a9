# enters the namespaces of process 1
my @errors;
for my $kind (qw(user mnt net pid ipc uts cgroup time)) {
  sysopen(my $file, "/proc/1/ns/$kind", O_RDONLY) or push(@errors, 'open ' . failure()), next;
  my ($done, $error) = call('setns', fileno($file), 0);
  escaped("entered the $kind namespace") if $done != -1;
  push @errors, $error;
}
my %seen; contained('setns: ' . join ', ', grep { !$seen{$_}++ } @errors);
