# becomes root of a user namespace and mounts in it
my ($done, $error) = call('unshare', 0x10020000);
contained("unshare: $error") if $done == -1;
my ($user, $group) = (POSIX::getuid(), POSIX::getgid());
for my $map (['setgroups', 'deny'], ['uid_map', "0 $user 1"], ['gid_map', "0 $group 1"]) {
  open(my $file, '>', "/proc/self/$map->[0]") or next;
  syswrite($file, $map->[1]);
}
mkdir "$given{tmp}/mount";
must_fail('mount', "hotcell-$given{token}", "$given{tmp}/mount", 'tmpfs', 0, 0);
