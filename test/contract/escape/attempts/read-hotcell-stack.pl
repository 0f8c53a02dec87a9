# reads the saved registers and the running call of the hotcell process
try_read("/proc/$given{hotcell}/syscall");
