# The inner service: a page on the box's own loopback that nobody outside could ask for.
#
#   nsenter --net=FILE -- perl loopback.pl      first line of its input: PORT TOKEN
#
# It stands in the network of the box and not in the box, so nothing in there can touch it. Whatever asks gets one small
# page with the token. Each request is told on its output as one line of hexadecimal digits. It ends with its input.
#
# Exit: 0 done, 1 the port is taken, 2 called wrongly.
use strict;
use Socket qw(PF_INET PF_INET6 SOCK_STREAM SOL_SOCKET SO_REUSEADDR IPPROTO_IPV6 IPV6_V6ONLY inet_pton
  pack_sockaddr_in pack_sockaddr_in6 AF_INET AF_INET6);
use Fcntl qw(F_GETFL F_SETFL O_NONBLOCK);

alarm 7200;
$| = 1;
$SIG{PIPE} = 'IGNORE';
my ($port, $token) = (<STDIN> // '') =~ /^(\d{1,5}) (\w{8,64})\n\z/ or exit 2;

sub hear {
  my ($family, $address) = @_;
  socket(my $socket, $family, SOCK_STREAM, 0) or return undef;
  setsockopt($socket, SOL_SOCKET, SO_REUSEADDR, 1);
  setsockopt($socket, IPPROTO_IPV6, IPV6_V6ONLY, 1) if $family == PF_INET6;
  bind($socket, $address) && listen($socket, 64) or return undef;
  fcntl($socket, F_SETFL, fcntl($socket, F_GETFL, 0) | O_NONBLOCK);
  return $socket;
}
my $four = hear(PF_INET, pack_sockaddr_in($port, inet_pton(AF_INET, '127.0.0.1'))) || exit 1;
my $six = hear(PF_INET6, pack_sockaddr_in6($port, inet_pton(AF_INET6, '::1')));

# What it reads is hostile: it needs no rights for that.
if ($> == 0) { $) = '65534 65534'; $( = 65534; $< = $> = 65534; exit 2 if $> == 0 || $< == 0 }
print "ready\n";

my $page = "<!doctype html><html><head><title>Status</title></head><body><article><h1>Internal status</h1>"
  . "<p>This page is for this machine only. The build key of the service is $token and all checks are green.</p>"
  . "</article></body></html>\n";
my $answer = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close\r\nContent-Length: "
  . length($page) . "\r\n\r\n";

my %open;
while (1) {
  my $read = '';
  vec($read, fileno STDIN, 1) = 1;
  for my $each ($four, $six, map { $_->{socket} } values %open) { vec($read, fileno $each, 1) = 1 if $each }
  select($read, undef, undef, 1);
  if (vec($read, fileno STDIN, 1)) { exit 0 unless sysread(STDIN, my $rest, 64) }
  for my $listener (grep { defined } $four, $six) {
    next unless vec($read, fileno $listener, 1) && accept(my $socket, $listener);
    if (keys %open >= 64) { close $socket; next }
    fcntl($socket, F_SETFL, fcntl($socket, F_GETFL, 0) | O_NONBLOCK);
    $open{fileno $socket} = { socket => $socket, text => '', until => time + 5 };
  }
  for my $key (keys %open) {
    my $each = $open{$key};
    my $got = 1;
    if (vec($read, $key, 1)) { $got = sysread($each->{socket}, $each->{text}, 8192, length $each->{text}) }
    my $isWhole = $each->{text} =~ /\r?\n\r?\n/ || length($each->{text}) > 16384;
    next if $got && !$isWhole && time < $each->{until};
    if (length $each->{text}) {
      print unpack('H*', substr($each->{text}, 0, 512)), "\n";
      syswrite($each->{socket}, $answer . ($each->{text} =~ /^HEAD / ? '' : $page));
    }
    shutdown($each->{socket}, 1);
    close $each->{socket};
    delete $open{$key};
  }
}
