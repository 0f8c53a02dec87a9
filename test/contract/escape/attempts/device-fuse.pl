# opens /dev/fuse
try_open('/dev/fuse', O_RDWR);
