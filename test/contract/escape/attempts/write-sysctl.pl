# opens kernel settings that are not bound to a namespace for writing
my @errors;
for my $name (qw(vm/overcommit_memory vm/drop_caches kernel/panic kernel/kptr_restrict fs/file-max)) {
  sysopen(my $file, "/proc/sys/$name", O_WRONLY) and escaped("opened $name");
  push @errors, failure();
}
contained("open: $errors[0]");
