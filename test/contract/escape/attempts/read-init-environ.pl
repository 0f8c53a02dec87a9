# reads the environment of process 1 of the host
try_read('/proc/1/environ');
