# reads /etc/shadow of the host
try_read('/etc/shadow');
