# reads a host file through /proc/1/root
try_read("/proc/1/root$given{secret}");
