# connects to an abstract socket of another box
try_connect(AF_UNIX, SOCK_STREAM, 0, pack('Sa*', AF_UNIX, "\0$given{neighbourAbstract}"), 'the abstract socket');
