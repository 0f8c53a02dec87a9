# opens /dev/mem
try_open('/dev/mem');
