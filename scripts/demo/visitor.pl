# A harmless visitor that misbehaves: it looks around, tries to get at things outside its box, and tells what happened.
# One line per answer: kind, tab, name, tab, detail. Arguments come from the demo: a secret file, a file to write, a
# port that listens on the host, the id of a process of the host.
use strict;
use warnings;
use Socket;
use Sys::Hostname;

my ($secret, $outside, $port, $process) = @ARGV;

sub report { my @cells = @_; s/[\t\r\n]/ /g for @cells; print join("\t", @cells), "\n"; }
sub attempt {
  my ($name, $try) = @_;
  $! = 0;
  my $detail = eval { $try->() };
  if (defined $detail) { report('escaped', $name, $detail) } else { report('refused', $name, $@ || "$!") }
}

$| = 1;
report('sees', 'host name', hostname());
report('sees', 'user', (getpwuid($<))[0] // "number $<");
report('sees', 'home', $ENV{HOME} // 'none');
report('sees', 'processes', scalar(grep { /^\d+$/ } map { s{^/proc/}{}r } glob('/proc/*')));

sub read_file { my ($path) = @_; open(my $file, '<', $path) or return; my $line = <$file>; return $line // 'empty' }

attempt('read the passwords of this machine (/etc/shadow)', sub { read_file('/etc/shadow') });
attempt('read a secret file that lies on the host', sub { read_file($secret) });
attempt('write a file on the host', sub {
  open(my $file, '>', $outside) or return;
  print $file 'visitor';
  return close($file) ? 'written' : undef;
});
attempt('connect to a server on the host', sub {
  socket(my $socket, PF_INET, SOCK_STREAM, 0) or return;
  return connect($socket, pack_sockaddr_in($port, inet_aton('127.0.0.1'))) ? 'connected' : undef;
});
attempt('end a process of the host', sub { kill('TERM', $process) ? 'signalled' : undef });
attempt('become root', sub { $! = 0; $> = 0; $> == 0 && $< != 0 ? 'root' : undef });
report('done', 'visitor', 'end');
