# opens settings in /sys for writing
my @errors;
for my $name (qw(kernel/mm/ksm/run power/state kernel/profiling fs/cgroup/cgroup.procs module/printk/parameters/time class/net/lo/mtu kernel/security/apparmor/.load)) {
  sysopen(my $file, "/sys/$name", O_WRONLY) and escaped("opened $name");
  push @errors, failure();
}
contained("open: $errors[0]");
