# plants a symbolic link to a world-writable host file and has the host write to it
symlink($given{openFile}, "$given{tmp}/inbox") or contained('symlink: ' . failure());
let_host_act();
contained('the host did not follow');
