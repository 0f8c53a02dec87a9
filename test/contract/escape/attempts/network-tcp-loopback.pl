# connects to a TCP listener of the host on 127.0.0.1
try_connect(AF_INET, SOCK_STREAM, 6, inet('127.0.0.1', $given{tcpPort}), '127.0.0.1');
