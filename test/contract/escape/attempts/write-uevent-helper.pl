# sets the program that the kernel runs for new devices
try_open('/sys/kernel/uevent_helper', O_WRONLY);
