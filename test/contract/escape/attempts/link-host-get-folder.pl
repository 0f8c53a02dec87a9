# plants a symbolic link to a folder and has the host fetch a file below it
symlink($given{bait}, "$given{tmp}/folder") or contained('symlink: ' . failure());
let_host_act();
contained('the host did not follow');
