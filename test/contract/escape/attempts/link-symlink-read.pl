# reads a host file through a symbolic link that it made in its own folder
symlink($given{secret}, "$given{tmp}/link") or contained('symlink: ' . failure());
try_read("$given{tmp}/link");
