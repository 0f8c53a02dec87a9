# opens the disk of the host
my @disks = grep { $_ } ($given{rootDisk}, '/dev/vda', '/dev/sda', '/dev/nvme0n1');
my @errors;
for my $disk (@disks) {
  sysopen(my $file, $disk, O_RDONLY) and escaped("opened $disk");
  push @errors, "$disk " . failure();
}
contained(join ', ', @errors);
