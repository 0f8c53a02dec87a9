# sets the host name through /proc/sys
try_write('/proc/sys/kernel/hostname');
