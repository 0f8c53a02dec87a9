# opens /proc/kmsg, the log of the kernel
try_open('/proc/kmsg');
