# connects to a TCP listener of the host on ::1
try_connect(AF_INET6, SOCK_STREAM, 6, inet6('::1', $given{tcpPort}), '::1');
