# plants a symbolic link to /proc/self/environ and has the host fetch it
symlink('/proc/self/environ', "$given{tmp}/loot") or contained('symlink: ' . failure());
let_host_act();
contained('the host did not follow');
