# plants links to host files and folders and has the host list what changed
symlink($given{secret}, "$given{tmp}/file-link");
symlink($given{bait}, "$given{tmp}/folder-link");
symlink("$given{tmp}/loop", "$given{tmp}/loop");
POSIX::mkfifo("$given{tmp}/fifo", 0666);
let_host_act();
contained('the host did not follow');
