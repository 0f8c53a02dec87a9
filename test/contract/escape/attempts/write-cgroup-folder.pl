# makes a cgroup of its own
my @made = grep { mkdir "$_/hotcell-$given{token}" } glob('/sys/fs/cgroup/*'), '/sys/fs/cgroup';
contained('mkdir: ' . failure()) if !@made;
rmdir "$_/hotcell-$given{token}" for @made;
escaped("made a cgroup in $made[0]");
