# connects to a TCP listener of the host on ::ffff:127.0.0.1
try_connect(AF_INET6, SOCK_STREAM, 6, inet6('::ffff:127.0.0.1', $given{tcpPort}), 'the mapped address');
