# The airlock: the first program inside every box, and the only one of ours.
#
# It takes one message from Hotcell, sets the limits that belong to a process, asks from inside whether the confinement
# holds, reports, and waits. Only after Hotcell has read the report and answered does it become the target.
#
#   Hotcell -> airlock   the questions: 8 hex digits of length, then lines "key value value ..." (every value in hex)
#   airlock -> Hotcell   the report: 8 hex digits of length, then lines "check-id held|broken detail"
#   Hotcell -> airlock   the order: as the questions; at the end of input the target never starts
#   airlock -> Hotcell   in a box with a sensor on its system calls: "listener N", N being a file descriptor of ours
#   Hotcell -> airlock   the listener is served; go
#
# Plain Perl without modules: it starts in about a millisecond, and every Debian has it. It runs before any hostile
# byte does, and nothing of the target's environment reaches it.
use strict;    # and no `use warnings`: loading it would double the time this takes to start

$SIG{PIPE} = 'DEFAULT';

sub read_exactly {
  my ($length) = @_;
  my $data = '';
  while (length($data) < $length) {
    my $got = sysread(STDIN, $data, $length - length($data), length($data));
    next if !defined $got && $! == 4;                           # EINTR
    exit 70 unless $got;
  }
  return $data;
}

sub unhex { return pack('H*', $_[0]) }

# Keys in `lists` may come more than once, and every time with several values.
sub read_message {
  my (@lists) = @_;
  my %message = map { $_ => [] } @lists;
  for my $line (split /\n/, read_exactly(hex(read_exactly(8)))) {
    my ($key, @values) = split / /, $line, -1;
    @values = map { unhex($_) } @values;
    if (ref $message{$key}) { push @{$message{$key}}, [@values] } else { $message{$key} = $values[0] }
  }
  return %message;
}

my %ask = read_message(qw(read write same limit deny));

my %numbers = (
  x64   => { prctl => 157, socket => 41, connect => 42, dup2 => 33, dup3 => 292, prlimit64 => 302, unshare => 272,
             bpf => 321, io_uring_setup => 425, kill => 62, close => 3, setsid => 112, seccomp => 317 },
  arm64 => { prctl => 167, socket => 198, connect => 203, dup3 => 24, prlimit64 => 261, unshare => 97,
             bpf => 280, io_uring_setup => 425, kill => 129, close => 57, setsid => 157, seccomp => 277 },
);
my $number = $numbers{$ask{arch}} or exit 71;
my @report;

sub note {
  my ($id, $result, $detail) = @_;
  $detail =~ s/[^ -~]/?/g;
  push @report, "$id $result $detail";
}

sub call {
  my ($name, @arguments) = @_;
  $! = 0;
  return syscall($number->{$name}, @arguments);
}

# A question is answered well when the forbidden thing fails.
sub must_fail {
  my ($id, $result, $what) = @_;
  my ($code, $text) = ($! + 0, "$!");
  return note($id, 'broken', "$what was possible") if $result;
  note($id, 'held', "$what: " . ($code ? $text : 'refused'));
}

# A ruleset that says which files may be executed, handed in from outside, where mounts cannot say it.
if (defined $ask{landlock}) {
  my $done = syscall(446, $ask{landlock} + 0, 0);
  note('landlock', $done == 0 ? 'held' : 'broken', $done == 0 ? 'execution is restricted' : "cannot restrict: $!");
}

# A filter of system calls, where the runtime does not put it on.
if (defined $ask{filter}) {
  call('prctl', 38, 1, 0, 0, 0);
  my $header = pack('S x6 P', length($ask{filter}) / 8, $ask{filter});
  my $done = call('seccomp', 1, 0, $header);
  note('seccomp', $done == 0 ? 'held' : 'broken', $done == 0 ? 'the filter is on' : "cannot install the filter: $!");
}

# Nothing of the host that the launcher had open may be inherited.
if (opendir(my $folder, '/proc/self/fd')) {
  my @open = grep { /^\d+$/ && $_ > 2 && $_ != fileno($folder) } readdir $folder;
  closedir $folder;
  call('close', $_ + 0) for @open;
}

# 1. Limits of a process: soft and hard alike, so that the target cannot raise them.
for my $limit (@{$ask{limit}}) {
  my ($resource, $value) = @$limit;
  my $now = pack('QQ', 0, 0);
  syscall($number->{prlimit64}, 0, $resource + 0, 0, $now);     # not `call`, which would fill a copy
  my (undef, $most) = unpack('QQ', $now);
  $value = $most if $most < $value;                             # a limit of the host that is stricter stays
  my $pair = pack('QQ', $value, $value);
  my $set = call('prlimit64', 0, $resource + 0, $pair, 0);
  note("limit-set-$resource", $set == 0 ? 'held' : 'broken', $set == 0 ? "is $value" : "cannot be set: $!");
}

# 2. Files.
for my $path (map { $_->[0] } @{$ask{read}}) {
  must_fail('forbidden-read', scalar sysopen(my $file, $path, 0), "reading $path");
}
for my $path (map { $_->[0] } @{$ask{write}}) {
  my $done = sysopen(my $file, $path, 0101, 0600);    # O_WRONLY | O_CREAT
  must_fail('forbidden-write', $done, "writing $path");
}

# 3. Sockets: a listener of Hotcell's own really waits there, so that "refused" is no accident.
if (defined $ask{tcp}) {
  my $socket = call('socket', 2, 1, 0);
  my $connected = $socket >= 0 && call('connect', $socket, pack('S n C4 x8', 2, $ask{tcp}, 127, 0, 0, 1), 16) == 0;
  must_fail('forbidden-socket', $connected, 'a TCP connection to the host');
  call('close', $socket) if $socket >= 0;
}
if (defined $ask{abstract}) {
  my $address = pack('S', 1) . "\0$ask{abstract}";
  my $socket = call('socket', 1, 1, 0);
  my $connected = $socket >= 0 && call('connect', $socket, $address, length $address) == 0;
  must_fail('forbidden-unix-socket', $connected, 'an abstract unix socket of the host');
  call('close', $socket) if $socket >= 0;
}

# 4. Exceeding a limit.
if (defined $ask{openFiles}) {
  my $limit = $ask{openFiles} + 0;
  my $got = defined $number->{dup2} ? call('dup2', 0, $limit) : call('dup3', 0, $limit, 0);
  must_fail('exceed-open-files', $got >= 0, "opening file number $limit");
}

# 5. What the kernel says of this process.
my %status;
if (open(my $file, '<', '/proc/self/status')) {
  while (<$file>) { $status{$1} = $2 if /^(\w+):\s*(.*?)\s*$/ }
  close $file;
}
if ($ask{confined}) {
  my $privileges = call('prctl', 39, 0, 0, 0, 0);
  note('no-new-privileges', $privileges == 1 ? 'held' : 'broken', "prctl says $privileges");
  my @sets = grep { defined $status{$_} && hex($status{$_}) != 0 } qw(CapInh CapPrm CapEff CapAmb);
  my $known = defined $status{CapEff};
  note('capabilities', $known && !@sets ? 'held' : 'broken', !$known ? '/proc says nothing' : @sets ? "@sets not empty" : 'all sets are empty');
  note('user', $< != 0 && $> != 0 ? 'held' : 'broken', "uid $<");
}
if (defined $ask{seccomp}) {
  my $mode = defined $status{Seccomp} ? $status{Seccomp} : 'unknown';
  note('seccomp-mode', $mode eq $ask{seccomp} ? 'held' : 'broken', "mode $mode");
}
if (@{$ask{deny}}) {
  my %try = (
    bpf => sub { call('bpf', 0, 0, 0) },
    io_uring_setup => sub { call('io_uring_setup', 0, 0) },
    unshare => sub { call('unshare', 0x10000000) },
  );
  for my $name (grep { $try{$_} } map { $_->[0] } @{$ask{deny}}) {
    my $result = $try{$name}->();
    my $code = $! + 0;
    # EPERM is the filter's answer, ENOSYS that of a kernel which has no such call. Anything else means it was reached.
    note('forbidden-syscall', $result == -1 && ($code == 1 || $code == 38) ? 'held' : 'broken', "$name: " . ($result == -1 ? "$!" : 'was possible'));
  }
}
for my $pair (@{$ask{same}}) {
  my ($space, $host) = @$pair;
  my $own = readlink("/proc/self/ns/$space");
  my $differs = !defined $own || $own ne $host;
  note("own-$space-namespace", $differs ? 'held' : 'broken', defined $own ? $own : 'not shown');
}
if (defined $ask{signal}) {
  my $sent = call('kill', $ask{signal} + 0, 0);
  must_fail('forbidden-signal', $sent == 0, "a signal to process $ask{signal}");
}

# 6. Report and wait to be let go.
my $text = join("\n", @report);
syswrite(STDOUT, sprintf('%08x', length $text) . $text);
my %order = read_message(qw(argument variable));
my @argv = map { $_->[0] } @{$order{argument}};
my %environment = map { $_->[0] => $_->[1] } @{$order{variable}};

# Opened now, so that a sensor sees nothing of us but our heart.
open(my $nowhere, '+<', '/dev/null');

# A filter that reports system calls, for a sensor outside. From here on each reported call waits for its answer, so
# nothing but reading and writing comes before the listener is served.
if (defined $ask{notify}) {
  my $header = pack('S x6 P', length($ask{notify}) / 8, $ask{notify});
  # NEW_LISTENER, and WAIT_KILLABLE_RECV where the kernel has it: a signal does not make a waiting call be told twice.
  my $listener = call('seccomp', 1, 8 | 32, $header);
  $listener = call('seccomp', 1, 8, $header) if $listener < 0 && $! == 22;
  if ($listener < 0) { print STDERR "hotcell: cannot report system calls: $!\n"; exit 75 }
  my $line = "listener $listener";
  syswrite(STDOUT, sprintf('%08x', length $line) . $line);
  read_message();
  call('close', $listener);
}

# Two things that every sensor must see, so that one which sees nothing is not taken for a target which does nothing.
my $beats = 0;
sub beat {
  sysopen(my $file, "/hotcell-heartbeat-$ask{heart}-$beats", 0);
  call('connect', -1, pack('S n C4 x8', 2, 1 + $beats % 65535, 127, 0, 0, 1), 16);
  $beats += 1;
}
if (defined $ask{heart}) { $SIG{PWR} = \&beat; beat() }

sub become_target {
  $0 = $argv[0];
  $SIG{PWR} = 'DEFAULT';
  if (!chdir $order{cwd}) { print STDERR "hotcell: cannot enter $order{cwd}: $!\n"; exit 126 }
  %ENV = %environment;
  exec { $argv[0] } @argv;
  my $code = $! + 0;
  print STDERR "hotcell: cannot start $argv[0]: $!\n";
  exit($code == 2 ? 127 : 126);
}

become_target() unless $ask{init} || defined $ask{heart};

# As the first process of a pid namespace it stays behind: signals to a first process are ignored by default and its
# zombies are nobody's, and neither should be the target's problem. With sensors it stays to make their heart beat.
my $child = fork;
exit 73 unless defined $child;
if ($child == 0) { call('setsid'); become_target() }
call('prctl', 4, 0, 0, 0, 0);                                   # not dumpable: the target cannot look into us, or change us
$0 = '/sbin/init';
open(STDIN, '<&', $nowhere); open(STDOUT, '>&', $nowhere); open(STDERR, '>&', $nowhere);
# Where it is not the first process, signals reach the target by themselves.
for my $signal (qw(TERM INT HUP QUIT USR1 USR2)) { $SIG{$signal} = $ask{init} ? sub { kill $signal, $child } : 'IGNORE' }
while (1) {
  my $ended = waitpid(-1, 0);
  my $status = $?;
  next if $ended == -1 && $! == 4;                              # EINTR
  exit 74 if $ended == -1;
  exit(($status & 127) ? 128 + ($status & 127) : $status >> 8) if $ended == $child;
}
