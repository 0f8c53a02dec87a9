# reads /root/.bashrc of the host
try_read('/root/.bashrc');
