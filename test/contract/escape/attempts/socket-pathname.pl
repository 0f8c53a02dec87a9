# connects to a world-writable unix socket of the host
try_connect(AF_UNIX, SOCK_STREAM, 0, pack_sockaddr_un($given{unixSocket}), 'the unix socket');
