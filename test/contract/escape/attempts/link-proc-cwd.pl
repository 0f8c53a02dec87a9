# climbs out from /proc/self/cwd
try_read('/proc/self/cwd/' . '../' x 40 . substr($given{secret}, 1));
