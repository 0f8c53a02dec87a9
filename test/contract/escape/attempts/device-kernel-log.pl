# opens /dev/kmsg
try_open('/dev/kmsg', O_RDWR);
