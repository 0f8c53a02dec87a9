# What every attempt starts with. The host puts numbers.pl, this file and one attempt together into a single program
# and runs it in the box with key=value parameters. The last line a program prints is its answer:
#   contained: REASON     escaped: PROOF     not-applicable: REASON
use strict;
use warnings;
no warnings 'portable';
use Errno ();
use Fcntl;
use POSIX ();
use Socket;

our %given;
$| = 1;
%given = map { split /=/, $_, 2 } @ARGV;

# A folder of its own, so that what another attempt left cannot stand in its way.
mkdir $given{tmp} if !-d $given{tmp};

our $is_arm = (POSIX::uname())[4] =~ /^(aarch64|arm64)/ ? 1 : 0;

sub answer {
  my ($is, $text) = @_;
  $text =~ s/[^\x20-\x7e]/?/g;
  print "$is: $text\n";
  POSIX::_exit(0);
}
sub contained { answer('contained', @_) }
sub escaped { answer('escaped', @_) }
sub not_applicable { answer('not-applicable', @_) }

# EPERM for 1, and so on: a name says the same on every machine and in every language.
sub error_name {
  my ($code) = @_;
  local $! = $code;
  for my $name (sort keys %!) { return $name if $!{$name} && $name ne 'EWOULDBLOCK' }
  return "errno $code";
}
sub failure { return error_name($! + 0) }

# Makes one system call; returns (result, error name or ''). Strings are passed as pointers, and written to where they are variables.
sub call {
  my $name = shift;
  my $at = $number{$name} or die "no number for $name";
  my $code = $at->[$is_arm];
  not_applicable("this processor has no $name call") if !defined $code;
  # A number that is kept as text would be passed as a pointer, and the call would fail for the wrong reason.
  for (@_) { die "$name: '$_' is text" if /^-?\d{1,15}$/ && ($_ ^ $_) ne '0' }
  my @slots = map { Internals::SvREADONLY($_) ? do { my $copy = $_; \$copy } : \$_ } @_;
  $! = 0;
  my $result = @slots == 0 ? syscall($code)
    : @slots == 1 ? syscall($code, ${$slots[0]})
    : @slots == 2 ? syscall($code, ${$slots[0]}, ${$slots[1]})
    : @slots == 3 ? syscall($code, ${$slots[0]}, ${$slots[1]}, ${$slots[2]})
    : @slots == 4 ? syscall($code, ${$slots[0]}, ${$slots[1]}, ${$slots[2]}, ${$slots[3]})
    : @slots == 5 ? syscall($code, ${$slots[0]}, ${$slots[1]}, ${$slots[2]}, ${$slots[3]}, ${$slots[4]})
    : syscall($code, ${$slots[0]}, ${$slots[1]}, ${$slots[2]}, ${$slots[3]}, ${$slots[4]}, ${$slots[5]});
  return $result == -1 ? (-1, failure()) : ($result, '');
}

# The call must fail, whatever the reason.
sub must_fail {
  my $name = $_[0];
  my ($result, $error) = &call;
  contained("$name: $error") if $result == -1;
  escaped("$name returned $result");
}

# The call must be refused for want of permission: another error means that the kernel went on to look at the arguments.
sub must_be_refused {
  my $name = $_[0];
  my ($result, $error) = &call;
  contained("$name: $error") if $result == -1 && $error =~ /^(EPERM|EACCES|ENOSYS)$/;
  escaped($result == -1 ? "$name was let in: $error" : "$name returned $result");
}

# Container runtimes cover what is not to be seen with /dev/null.
sub is_cover {
  my @fact = stat $_[0];
  return POSIX::S_ISCHR($fact[2]) && $fact[6] == ((1 << 8) | 3);
}

sub try_open {
  my ($path, $flags) = @_;
  sysopen(my $file, $path, ($flags // O_RDONLY) | O_NONBLOCK | O_NOCTTY) or contained("open $path: " . failure());
  contained("$path is covered by an empty device") if is_cover($file);
  escaped("opened $path");
}

# Up to $most bytes of a file, or undef with $! set.
sub read_bytes {
  my ($path, $most) = @_;
  sysopen(my $file, $path, O_RDONLY | O_NONBLOCK | O_NOCTTY) or return undef;
  my $bytes = '';
  while (length($bytes) < $most) {
    my $count = sysread($file, $bytes, $most - length($bytes), length($bytes));
    return undef if !defined $count;
    last if $count == 0;
  }
  return $bytes;
}

# Proof of a read is what was read: the host compares it with what it planted.
sub try_read {
  my ($path) = @_;
  my $bytes = read_bytes($path, 4096);
  contained("read $path: " . failure()) if !defined $bytes;
  contained("read $path: empty") if $bytes eq '';
  escaped('bytes ' . unpack('H*', $bytes));
}

sub try_write {
  my ($path) = @_;
  sysopen(my $file, $path, O_WRONLY | O_NONBLOCK | O_NOCTTY) or contained("write $path: " . failure());
  defined syswrite($file, $given{token}) or contained("write $path: " . failure());
  escaped("wrote to $path");
}

sub try_list {
  my ($path) = @_;
  opendir(my $folder, $path) or contained("list $path: " . failure());
  my @names = grep { !/^\.\.?$/ } readdir $folder;
  contained("list $path: empty") if !@names;
  escaped('names ' . join(' ', map { unpack 'H*', $_ } sort @names));
}

# Waits up to $seconds for a descriptor; true when it is ready.
sub ready {
  my ($handle, $is_write, $seconds) = @_;
  my $bits = '';
  vec($bits, fileno($handle), 1) = 1;
  my $count = $is_write ? select(undef, my $w = $bits, undef, $seconds) : select(my $r = $bits, undef, undef, $seconds);
  return $count > 0;
}

# Connects; a silence counts as an escape, because a packet that nobody answered has still left.
sub try_connect {
  my ($family, $type, $protocol, $address, $what) = @_;
  socket(my $socket, $family, $type, $protocol) or contained("socket for $what: " . failure());
  fcntl($socket, F_SETFL, O_NONBLOCK) or contained("fcntl: " . failure());
  if (!connect($socket, $address)) {
    contained("connect to $what: " . failure()) if !$!{EINPROGRESS} && !$!{EAGAIN};
    ready($socket, 1, 3) or escaped("connect to $what: a packet went out and nobody answered");
    my $code = unpack('i', getsockopt($socket, SOL_SOCKET, SO_ERROR) // pack('i', 0));
    contained("connect to $what: " . error_name($code)) if $code;
  }
  syswrite($socket, "$given{token}\n");
  escaped("connected to $what");
}

sub inet { return pack_sockaddr_in($_[1], inet_aton($_[0])) }
sub inet6 { return pack_sockaddr_in6($_[1], Socket::inet_pton(AF_INET6, $_[0]), $_[2] // 0, 0) }

# The host acts now and writes one line when it is done.
sub let_host_act {
  print "ready @_\n";
  my $line = <STDIN>;
  return defined $line;
}

# The value of one line of /proc/self/status.
sub status_of {
  my ($key, $pid) = @_;
  my $text = read_bytes('/proc/' . ($pid // 'self') . '/status', 65536) // return undef;
  return $text =~ /^\Q$key\E:\s*(.*?)\s*$/m ? $1 : undef;
}

sub has_capability {
  my ($bit) = @_;
  my $mask = status_of('CapEff') // return 0;
  return (hex($mask) >> $bit) & 1;
}

