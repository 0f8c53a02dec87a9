# plants a symbolic link to a world-writable host folder and has the host write below it
symlink($given{openFolder}, "$given{tmp}/outbox") or contained('symlink: ' . failure());
let_host_act();
contained('the host did not follow');
