# opens /dev/net/tun
try_open('/dev/net/tun', O_RDWR);
