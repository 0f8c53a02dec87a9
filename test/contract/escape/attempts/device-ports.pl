# opens /dev/port
try_open('/dev/port', O_RDWR);
