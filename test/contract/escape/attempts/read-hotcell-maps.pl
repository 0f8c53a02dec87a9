# reads the memory map of the hotcell process
try_read("/proc/$given{hotcell}/maps");
