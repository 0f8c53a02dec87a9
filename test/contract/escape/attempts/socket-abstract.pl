# connects to an abstract unix socket of the host
try_connect(AF_UNIX, SOCK_STREAM, 0, pack('Sa*', AF_UNIX, "\0$given{abstract}"), 'the abstract socket');
