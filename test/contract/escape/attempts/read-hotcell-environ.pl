# reads the environment of the hotcell process
try_read("/proc/$given{hotcell}/environ");
