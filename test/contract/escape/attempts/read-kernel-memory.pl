# opens /proc/kcore, the memory of the kernel
try_open('/proc/kcore');
