# sets the kernel's core dump handler
try_write('/proc/sys/kernel/core_pattern');
