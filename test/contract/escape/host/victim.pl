# A process of the host that says which signals reach it. It ends when its input does.
use strict;
use warnings;
$| = 1;
for my $name (qw(HUP INT QUIT USR1 USR2 PIPE ALRM TERM CONT URG IO WINCH)) {
  $SIG{$name} = sub { print "signal $name\n" };
}
print "ready\n";
# Answers each byte of input, so that the host knows that it has heard of everything before.
while (1) {
  my $bits = '';
  vec($bits, 0, 1) = 1;
  next if select($bits, undef, undef, 60) <= 0;
  sysread(STDIN, my $byte, 1) or last;
  print "heard\n";
}
