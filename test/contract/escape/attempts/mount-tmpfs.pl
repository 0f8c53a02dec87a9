# mounts a file system in memory
mkdir "$given{tmp}/mount";
must_fail('mount', "hotcell-$given{token}", "$given{tmp}/mount", 'tmpfs', 0, 0);
