# plants a symbolic link and has the host fetch it
symlink($given{secret}, "$given{tmp}/loot") or contained('symlink: ' . failure());
let_host_act();
contained('the host did not follow');
