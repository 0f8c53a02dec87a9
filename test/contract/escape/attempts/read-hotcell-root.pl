# reads a host file through the root link of the hotcell process
try_read("/proc/$given{hotcell}/root$given{secret}");
