# the other box: keeps a secret that it is told by its first input, and says which signals reach it
my $secret = <STDIN> // exit 1;
open(my $file, '>', "$given{neighbourTmp}/neighbour-secret") or die "create: $!";
print $file $secret;
close $file;
chmod 0644, "$given{neighbourTmp}/neighbour-secret";
chmod 0755, $given{neighbourTmp};
$SIG{$_} = eval "sub { print \"signal $_\\n\" }" for qw(HUP INT USR1 USR2 CONT URG IO);
my $memory = shmget($given{neighbourKey} + 0, 4096, 01666);
shmwrite($memory, $secret, 0, length $secret) if defined $memory;
# A box may refuse it the socket; then nobody can connect to it either.
my $socket;
my $is_open = socket($socket, AF_UNIX, SOCK_STREAM, 0) && bind($socket, pack('Sa*', AF_UNIX, "\0$given{neighbourAbstract}")) && listen($socket, 4);
chdir $given{neighbourTmp};
print "ready $$\n";
while (1) {
  my $bits = '';
  vec($bits, $_, 1) = 1 for 0, $is_open ? fileno($socket) : ();
  next if select($bits, undef, undef, 60) <= 0;
  last if vec($bits, 0, 1) && !sysread(STDIN, my $line, 1);
  print "visit\n" if $is_open && vec($bits, fileno($socket), 1) && accept(my $visitor, $socket);
}
shmctl($memory, 0, 0) if defined $memory;
contained('nobody came');
