# Things that only the kernel keeps, open to everybody: a terminal, System V and POSIX objects, a datagram socket.
# Says when something comes in; removes them all when its input ends.
# Arguments: IPC key, queue name, path of the datagram socket, numbers of mq_open and mq_unlink. The secret is its first input.
use strict;
use warnings;
use Fcntl;
use Socket;
$| = 1;
my ($key, $queue, $path, $open, $unlink) = @ARGV;
$key += 0;
umask 0;
my $secret = <STDIN> // exit 1;
chomp $secret;

sysopen(my $master, '/dev/ptmx', O_RDWR | O_NOCTTY) or die "ptmx: $!";
my $unlock = pack('i', 0);
ioctl($master, 0x40045431, $unlock) or die "unlock: $!";
my $number = pack('I', 0);
ioctl($master, 0x80045430, $number) or die "number: $!";
my $terminal = '/dev/pts/' . unpack('I', $number);
chmod 0666, $terminal or die "chmod: $!";
# Without an open other side the master is always readable.
sysopen(my $slave, $terminal, O_RDWR | O_NOCTTY) or die "$terminal: $!";

my $create = 01000;
my $memory = shmget($key, 4096, $create | 0666) // die "shmget: $!";
shmwrite($memory, $secret, 0, length $secret);
my $messages = msgget($key, $create | 0666) // die "msgget: $!";
my $semaphore = semget($key, 1, $create | 0666) // die "semget: $!";
syscall($open + 0, $queue, O_RDWR | O_CREAT, 0666, 0) >= 0 or die "mq_open: $!";
socket(my $socket, AF_UNIX, SOCK_DGRAM, 0) or die "socket: $!";
bind($socket, pack_sockaddr_un($path)) or die "bind: $!";
chmod 0777, $path;

print "ready $terminal\n";
while (1) {
  my $bits = '';
  vec($bits, fileno($_), 1) = 1 for \*STDIN, $master, $socket;
  next if select($bits, undef, undef, 60) <= 0;
  print "visit terminal\n" if vec($bits, fileno($master), 1) && sysread($master, my $bytes, 4096);
  print "visit datagram\n" if vec($bits, fileno($socket), 1) && defined recv($socket, my $datagram, 4096, 0);
  # Last, so that the answer means: everything before has been told.
  next if !vec($bits, 0, 1);
  sysread(STDIN, my $byte, 1) or last;
  print "heard\n";
}
shmctl($memory, 0, 0);
msgctl($messages, 0, 0);
semctl($semaphore, 0, 0, 0);
syscall($unlink + 0, $queue);
unlink $path;
