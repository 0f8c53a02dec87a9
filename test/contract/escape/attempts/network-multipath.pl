# connects with multipath TCP, which some filters do not see as TCP
try_connect(AF_INET, SOCK_STREAM, 262, inet('127.0.0.1', $given{tcpPort}), '127.0.0.1 by multipath TCP');
