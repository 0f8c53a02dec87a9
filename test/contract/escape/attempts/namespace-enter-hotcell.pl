# enters the namespaces of the hotcell process
my @errors;
for my $kind (qw(user mnt net pid ipc uts cgroup time)) {
  sysopen(my $file, "/proc/$given{hotcell}/ns/$kind", O_RDONLY) or push(@errors, 'open ' . failure()), next;
  my ($done, $error) = call('setns', fileno($file), 0);
  escaped("entered the $kind namespace") if $done != -1;
  push @errors, $error;
}
my %seen; contained('setns: ' . join ', ', grep { !$seen{$_}++ } @errors);
