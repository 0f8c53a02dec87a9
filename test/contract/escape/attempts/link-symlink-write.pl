# writes to a world-writable host file through a symbolic link
symlink($given{openFile}, "$given{tmp}/link") or contained('symlink: ' . failure());
try_write("$given{tmp}/link");
