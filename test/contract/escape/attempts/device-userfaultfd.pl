# opens /dev/userfaultfd
try_open('/dev/userfaultfd', O_RDWR);
