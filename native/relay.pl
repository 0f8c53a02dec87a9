# The relay: one connection to a port of the box's own network, carried over our input and output.
#
#   nsenter --net=FILE -- perl relay.pl PORT
#
# It knows bytes only. At the end of our input the server is told that no more comes, and has ten seconds to finish; at
# the end of its output, or after an hour, the relay ends. Each direction holds no more than 64 KiB.
#
# Exit: 0 done, 1 nobody listens there, 2 called wrongly.
use strict;
use Socket qw(PF_INET PF_INET6 SOCK_STREAM inet_pton pack_sockaddr_in pack_sockaddr_in6 AF_INET AF_INET6);
use Fcntl qw(F_GETFL F_SETFL O_NONBLOCK);
use Errno qw(EAGAIN EINTR EWOULDBLOCK);

my ($port) = @ARGV;
exit 2 unless defined $port && $port =~ /^\d{1,5}$/ && $port > 0 && $port < 65536;
my $block = 65536;
alarm 3600;
$SIG{PIPE} = 'IGNORE';

# What it carries is hostile: it needs no rights for that.
if ($> == 0) { $) = '65534 65534'; $( = 65534; $< = $> = 65534; exit 2 if $> == 0 || $< == 0 }

sub reach {
  my ($family, $address) = @_;
  socket(my $socket, $family, SOCK_STREAM, 0) or return undef;
  return connect($socket, $address) ? $socket : undef;
}
my $server = reach(PF_INET, pack_sockaddr_in($port, inet_pton(AF_INET, '127.0.0.1')))
  || reach(PF_INET6, pack_sockaddr_in6($port, inet_pton(AF_INET6, '::1')))
  || exit 1;

for my $handle (\*STDIN, \*STDOUT, $server) {
  fcntl($handle, F_SETFL, fcntl($handle, F_GETFL, 0) | O_NONBLOCK);
}

# Reads when there is room; returns false at the end of the stream.
sub take {
  my ($handle, $buffer) = @_;
  my $got = sysread($handle, $$buffer, $block - length($$buffer), length($$buffer));
  return 1 if !defined $got && ($!{EAGAIN} || $!{EWOULDBLOCK} || $!{EINTR});
  return $got;
}

sub give {
  my ($handle, $buffer) = @_;
  my $put = syswrite($handle, $$buffer);
  return $!{EAGAIN} || $!{EWOULDBLOCK} || $!{EINTR} unless defined $put;
  substr($$buffer, 0, $put) = '';
  return 1;
}

my ($in, $out, $hasInput, $hasOutput) = ('', '', 1, 1);
my $isShut = 0;
while ($hasOutput || length $out) {
  my ($read, $write) = ('', '');
  vec($read, fileno STDIN, 1) = 1 if $hasInput && length($in) < $block;
  vec($read, fileno $server, 1) = 1 if $hasOutput && length($out) < $block;
  vec($write, fileno $server, 1) = 1 if length $in;
  vec($write, fileno STDOUT, 1) = 1 if length $out;
  my $ready = select($read, $write, undef, $hasInput ? undef : 10);
  next if $ready < 0 && $!{EINTR};
  last if $ready <= 0;
  if (vec($read, fileno STDIN, 1)) { $hasInput = take(\*STDIN, \$in) }
  if (vec($read, fileno $server, 1)) { $hasOutput = take($server, \$out) }
  if (length $in && vec($write, fileno $server, 1) && !give($server, \$in)) { $in = ''; $hasInput = 0 }
  if (length $out && vec($write, fileno STDOUT, 1)) { give(\*STDOUT, \$out) or last }
  if (!$hasInput && !length $in && !$isShut) { shutdown($server, 1); $isShut = 1 }
}
exit 0;
