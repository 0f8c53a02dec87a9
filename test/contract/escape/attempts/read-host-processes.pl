# reads the command line of a process outside the box
try_read("/proc/$given{victimRoot}/cmdline");
