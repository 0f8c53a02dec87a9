# connects to a TCP listener of the host through 0.0.0.0
try_connect(AF_INET, SOCK_STREAM, 6, inet('0.0.0.0', $given{tcpPort}), '0.0.0.0');
