# mounts the disk of the host
mkdir "$given{tmp}/mount";
my @errors;
for my $type (qw(ext4 xfs btrfs)) {
  my ($done, $error) = call('mount', $given{rootDisk} || '/dev/vda', "$given{tmp}/mount", $type, 1, 0);
  escaped("mounted the disk as $type") if $done != -1;
  push @errors, $error;
}
contained("mount: @errors");
