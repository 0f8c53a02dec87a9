# opens the controlling terminal of the caller
try_open('/dev/tty', O_RDWR);
