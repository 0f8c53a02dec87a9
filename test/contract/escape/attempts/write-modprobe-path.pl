# sets the program that the kernel runs to load modules
try_open('/proc/sys/kernel/modprobe', O_WRONLY);
