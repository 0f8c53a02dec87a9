# writes to /etc/passwd
try_write('/etc/passwd');
