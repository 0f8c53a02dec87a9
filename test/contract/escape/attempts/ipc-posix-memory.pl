# reads a POSIX shared memory object of the host
try_read("/dev/shm/$given{sharedMemory}");
