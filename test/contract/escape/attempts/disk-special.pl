# makes device nodes, sockets and pipes in its folder and has the host list them
chdir $given{tmp} or contained('chdir: ' . failure());
POSIX::mkfifo('fifo', 0666);
my $is_open = socket(my $socket, AF_UNIX, SOCK_STREAM, 0);
bind($socket, pack_sockaddr_un('socket')) if $is_open;
my ($made, $error) = call('mknodat', -100, 'device', 0020666, (1 << 8) | 3);
let_host_act();
contained("mknod: $error") if $made == -1;
try_open('device', O_RDWR);
