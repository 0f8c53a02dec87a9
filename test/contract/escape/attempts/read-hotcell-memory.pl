# opens the memory of the hotcell process
try_open("/proc/$given{hotcell}/mem", O_RDWR);
