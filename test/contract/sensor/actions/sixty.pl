# Performs known, harmless actions in a known order, so that a sensor's account of them can be checked one by one.
#
#   perl sixty.pl SCRATCH      SCRATCH: an absolute path of at most 100 bytes, to an empty folder
#
# Only for a box, or for a network namespace without a way out: it tries to connect to an address of the internet.
# The numbers are those of ../expect/sixty.ts. Whatever is refused is refused, and the program goes on. Every process
# first opens SCRATCH/role-NAME: that is how its events are told from those of the others. At the end one line of JSON
# names the processes and their pids, and the errors that the first process met.
use strict;
use warnings;
use Errno ();
use Fcntl;
use POSIX ();

my ($scratch) = @ARGV;
die "usage: sixty.pl SCRATCH\n" if !defined $scratch || $scratch !~ m{^/[!-~]{1,99}$} || !-d $scratch;
alarm 120;

my $is_arm = (POSIX::uname())[4] =~ /^(aarch64|arm64)/ ? 1 : 0;

# [x86_64, aarch64]; undef where the architecture has no such call.
my %number = (
  bind => [49, 200],
  connect => [42, 203],
  creat => [85, undef],
  execveat => [322, 281],
  fchmod => [91, 52],
  fchmodat => [268, 53],
  fchownat => [260, 54],
  io_uring_setup => [425, 425],
  linkat => [265, 37],
  listen => [50, 201],
  memfd_create => [319, 279],
  mkdirat => [258, 34],
  mount => [165, 40],
  open => [2, undef],
  openat => [257, 56],
  openat2 => [437, 437],
  process_vm_readv => [310, 270],
  ptrace => [101, 117],
  renameat => [264, 38],
  renameat2 => [316, 276],
  sendmsg => [46, 211],
  sendto => [44, 206],
  setns => [308, 268],
  setresuid => [117, 147],
  setuid => [105, 146],
  socket => [41, 198],
  symlinkat => [266, 36],
  unlinkat => [263, 35],
  unshare => [272, 97],
);

use constant { AT_FDCWD => -100, AT_REMOVEDIR => 0x200, RENAME_NOREPLACE => 1 };
use constant { AF_UNIX => 1, AF_INET => 2, AF_INET6 => 10, STREAM => 1, DATAGRAM => 2, NONBLOCK => 04000 };
use constant { PATH => 010000000, CLOEXEC => 02000000, CREATE_WRITE => O_WRONLY | O_CREAT };
my $directory = $is_arm ? 040000 : 0200000;
my $temporary = 020000000 | $directory;

# Makes one system call. Strings go as pointers, numbers as they are.
sub call {
  my ($name, @arguments) = @_;
  my $code = $number{$name}[$is_arm];
  return syscall($code, @arguments);
}

my %error;

# One action. What a box refuses is written down under its number.
sub act {
  my ($number, $code) = @_;
  $! = 0;
  my $result = eval { $code->() };
  return if defined $result && $result ne '' && $result ne '-1';
  my $errno = $! + 0;
  local $! = $errno;
  ($error{$number}) = grep { $!{$_} && $_ ne 'EWOULDBLOCK' } sort keys %!;
  $error{$number} //= "errno $errno";
}

# Opens and closes; the flags are those of the kernel, and only close-on-exec is added.
sub open_file {
  my ($path, $flags, $folder) = @_;
  my $file = call('openat', $folder // AT_FDCWD, $path, $flags | CLOEXEC, 0644);
  POSIX::close($file) if $file >= 0;
  return $file;
}

pipe(my $report_reader, my $report_writer) or die "pipe: $!\n";

sub role {
  my ($name) = @_;
  syswrite $report_writer, "$name $$\n";
  open_file("$scratch/role-$name", CREATE_WRITE);
}

# A process of its own for one or more actions; it is waited for.
sub fork_role {
  my ($name, $code) = @_;
  my $pid = fork;
  return -1 if !defined $pid;
  return $pid if $pid > 0;
  alarm 60;
  role($name);
  eval { $code->() };
  POSIX::_exit(0);
}

sub wait_for {
  my ($pid) = @_;
  return -1 if $pid < 0;
  # A traced child also reports its stops.
  for (1 .. 100) { return $pid if waitpid($pid, 0) < 0 || !POSIX::WIFSTOPPED($?) }
  return $pid;
}

sub run_role { return wait_for(fork_role(@_)) }

# A socket, or -1 where there is none to be had: the call that follows is made all the same, and seen.
sub get_socket {
  my ($family, $type) = @_;
  return call('socket', $family, $type | NONBLOCK, 0);
}

sub with_socket {
  my ($family, $type, $code) = @_;
  my $socket = get_socket($family, $type);
  my $result = $code->($socket);
  my $errno = $! + 0;
  POSIX::close($socket) if $socket >= 0;
  $! = $errno;
  # Under way is as good as done.
  return $result == -1 && $!{EINPROGRESS} ? 0 : $result;
}

sub connect_to {
  my ($family, $address) = @_;
  return with_socket($family, STREAM, sub { call('connect', $_[0], $address, length $address) });
}

sub inet { return pack('S n C4 x8', AF_INET, $_[1], split /\./, $_[0]) }
my $inet6_loopback = pack('S n N x15 C N', AF_INET6, 1, 0, 1, 0);

role('main');

# Ways to open.
my $plain = "$scratch/plain";
act(1, sub { open_file($plain, CREATE_WRITE | O_EXCL) });
act(2, sub { open_file($plain, O_RDONLY) });
act(3, sub { open_file($plain, O_WRONLY) });
act(4, sub { open_file($plain, O_WRONLY | O_APPEND) });
act(5, sub { open_file($plain, O_WRONLY | O_TRUNC) });
act(6, sub { open_file($plain, O_RDWR) });
my $folder = -1;
act(7, sub { $folder = call('openat', AT_FDCWD, $scratch, O_RDONLY | $directory | CLOEXEC) });
act(8, sub { open_file($plain, PATH) });
act(9, sub { open_file('plain', O_RDONLY, $folder) });
# struct open_how: flags, mode, resolve
act(10, sub { call('openat2', AT_FDCWD, "$scratch/by-openat2", pack('Q3', CREATE_WRITE | CLOEXEC, 0644, 0), 24) });
# 11 and 12 are made with the calls of old where the architecture has them.
act(11, sub {
  my $path = "$scratch/by-open";
  $is_arm ? open_file($path, CREATE_WRITE) : call('open', $path, CREATE_WRITE | CLOEXEC, 0644);
});
act(12, sub {
  my $path = "$scratch/created";
  $is_arm ? open_file($path, CREATE_WRITE | O_TRUNC) : call('creat', $path, 0644);
});
act(13, sub { open_file($scratch, O_RDWR | $temporary) });
act(14, sub { open_file("$scratch/missing", O_RDONLY) });
act(15, sub { open_file('/etc/shadow', O_RDONLY) });

# Names that break whoever parses text.
my @names = (
  'comma,name,"), O_RDONLY) = 3',
  "single'quote",
  'double"quote',
  "new\nline",
  "tab\tname",
  "ansi\x1b[31mred\x1b]0;title\x07",
  "invalid\xff\xfe\xc3\x28",
  "emoji-\xf0\x9f\x98\x80",
  "right-\xe2\x80\xaeto-left",
  '-rf',
  'back\\slash\\n\\x41',
  'n' x 255,
);
my $number = 16;
for my $name (@names) { act($number++, sub { open_file("$scratch/$name", CREATE_WRITE) }) }

# 28: 4,095 bytes, the longest path there is.
my $deep = $scratch;
while (4095 - length($deep) - 1 > 255) {
  $deep .= '/' . 'd' x 200;
  mkdir $deep, 0755;
}
$deep .= '/' . 'f' x (4095 - length($deep) - 1);
act(28, sub { open_file($deep, CREATE_WRITE) });

# Folders, and paths that begin in them.
act(29, sub { mkdir "$scratch/folder", 0750 });
act(30, sub { call('mkdirat', $folder, 'folder-at', 0711) });
chdir "$scratch/folder";
act(31, sub { open_file('relative', CREATE_WRITE) });
act(32, sub { open_file('../plain', O_RDONLY) });
act(33, sub { open_file(".//$scratch/../sixty-none", O_RDONLY) });
act(34, sub { open_file("$scratch//folder/.././/plain", O_RDONLY) });
chdir $scratch;

# Names that come and go.
act(35, sub { rename "$scratch/created", "$scratch/renamed" });
act(36, sub { call('renameat', $folder, 'renamed', $folder, 'renamed-at') });
act(37, sub { call('renameat2', AT_FDCWD, "$scratch/renamed-at", AT_FDCWD, "$scratch/renamed,2", RENAME_NOREPLACE) });
act(38, sub { link $plain, "$scratch/hard" });
act(39, sub { call('linkat', $folder, 'plain', $folder, 'hard-at', 0) });
act(40, sub { symlink "/etc/\xffpasswd", "$scratch/soft" });
act(41, sub { call('symlinkat', 'plain', $folder, 'soft-at') });
act(42, sub { chmod 0640, $plain });
act(43, sub {
  my $file = call('openat', AT_FDCWD, $plain, O_RDONLY | CLOEXEC);
  my $result = call('fchmod', $file, 0604);
  my $errno = $! + 0;
  POSIX::close($file) if $file >= 0;
  $! = $errno;
  $result;
});
act(44, sub { call('fchmodat', $folder, 'plain', 0640) });
act(45, sub { call('fchownat', AT_FDCWD, $plain, -1, -1, 0) });
act(46, sub { unlink "$scratch/hard" });
act(47, sub { call('unlinkat', $folder, 'hard-at', 0) });
act(48, sub { rmdir "$scratch/folder-at" });
act(49, sub { call('unlinkat', AT_FDCWD, "$scratch/no-folder", AT_REMOVEDIR) });

# Programs. Each is started by a process of its own.
my $true = '/usr/bin/true';
sub become { no warnings 'exec'; my ($path, @argv) = @_; exec {$path} @argv }
act(50, sub { run_role('exec-long', sub { become($true, 'true', 'a' x 102400) }) });
act(51, sub { run_role('exec-many', sub { become($true, 'true', map { "argument-$_" } 1 .. 999) }) });
act(52, sub { run_role('exec-empty', sub { become($true, 'true', '', 'a', '', '') }) });
act(53, sub { run_role('exec-bytes', sub { become($true, "tr\xfce", "\xff\xfe", "\xc3\x28", "two\nlines", 'a,b "c"') }) });
# 54 and 55: programs that cannot be started; the process goes on.
act(54, sub {
  run_role('exec-failing', sub {
    become("$scratch/no-program", 'no-program', 'fifty-four');
    become($plain, 'plain', 'fifty-five');
    open_file("$scratch/after-failing", CREATE_WRITE);
  });
});
if (sysopen my $script, "$scratch/script", CREATE_WRITE | O_TRUNC, 0755) {
  syswrite $script, "#!/usr/bin/true\n";
  close $script;
}
act(56, sub { run_role('exec-script', sub { become("$scratch/script", 'script', 'fifty-six') }) });
act(57, sub { run_role('exec-twice', sub { become('/bin/sh', 'sh', '-c', 'exec /usr/bin/true fifty-seven') }) });
act(58, sub {
  run_role('exec-at', sub {
    my @argv = ('true', 'fifty-eight');
    my $pointers = pack('p*', @argv) . pack('J', 0);
    call('execveat', AT_FDCWD, $true, $pointers, pack('J', 0), 0);
  });
});
# 59: a shell that starts a program the way that shells do, with vfork where they have it.
act(59, sub {
  system {'/bin/sh'} 'sh', '-c', ': > "$1/role-shell"; /usr/bin/true role-shell-child; :', 'sh', $scratch;
  1;
});

# Beginnings and ends of processes.
act(60, sub {
  my $pid = fork // return -1;
  if ($pid == 0) { role('seven'); POSIX::_exit(7) }
  wait_for($pid);
});
# 61: the process in the middle ends while its child goes on.
act(61, sub {
  pipe(my $ended, my $alive) or return -1;
  run_role('middle', sub {
    close $ended;
    pipe(my $ready, my $is_ready);
    my $orphan = fork_role('orphan', sub {
      close $ready;
      my $parent = getppid;
      close $is_ready;
      for (1 .. 500) { last if getppid != $parent; select undef, undef, undef, 0.01 }
      open_file("$scratch/orphan-after", CREATE_WRITE);
    });
    close $is_ready;
    # Ends only when the orphan has opened its first file as a child of ours.
    sysread $ready, my $nothing, 1;
  });
  close $alive;
  sysread $ended, my $nothing, 1;
  1;
});
act(62, sub {
  pipe(my $ready, my $is_ready) or return -1;
  my $pid = fork_role('killed', sub { close $ready; close $is_ready; select undef, undef, undef, 20 });
  close $is_ready;
  sysread $ready, my $nothing, 1;
  kill 'KILL', $pid if $pid > 0;
  wait_for($pid);
});
# 63 to 65: a file opened, a program started and a file opened again by a thread that is not the first of its process.
my $has_threads = eval { require threads; 1 };
my @node = ('/usr/bin/node', 'node', '-e', q{
  const { Worker } = require('node:worker_threads');
  new Worker(`
    const fs = require('node:fs');
    const folder = require('node:worker_threads').workerData;
    fs.closeSync(fs.openSync(folder + '/from-thread', 'w'));
    require('node:child_process').spawnSync('/usr/bin/true', ['role-thread-child'], { argv0: 'true' });
    fs.closeSync(fs.openSync(folder + '/from-thread-again', 'w'));
  `, { eval: true, workerData: process.argv[1] });
}, $scratch);
act(63, sub {
  run_role('threads', sub {
    become(@node) if !$has_threads;
    threads->create(sub {
      open_file("$scratch/from-thread", CREATE_WRITE | O_TRUNC);
      my $pid = fork;
      if (defined $pid && $pid == 0) { become($true, 'true', 'role-thread-child'); POSIX::_exit(1) }
      wait_for($pid // -1);
      open_file("$scratch/from-thread-again", CREATE_WRITE | O_TRUNC);
    })->join;
  });
});

# Networks.
act(66, sub { connect_to(AF_INET, inet('127.0.0.1', 1)) });
act(67, sub { connect_to(AF_INET6, $inet6_loopback) });
act(68, sub { connect_to(AF_UNIX, pack('S', AF_UNIX) . "$scratch/socket\0") });
act(69, sub { connect_to(AF_UNIX, pack('S', AF_UNIX) . "\0sixty\0abstract") });
act(70, sub { connect_to(AF_INET, inet('93.184.216.34', 80)) });
my $server = get_socket(AF_INET, STREAM);
act(71, sub { call('bind', $server, inet('127.0.0.1', 0), 16) });
act(72, sub { call('listen', $server, 5) });
POSIX::close($server) if $server >= 0;
act(73, sub { with_socket(AF_INET, DATAGRAM, sub { call('sendto', $_[0], 'x', 1, 0, inet('127.0.0.1', 9), 16) }) });
act(74, sub {
  # struct msghdr: name, its length, vectors, their number, control, its length, flags
  my ($text, $address) = ('x', inet('127.0.0.1', 10));
  my $vector = pack('P J', $text, 1);
  my $message = pack('P L x4 P J J J l x4', $address, 16, $vector, 1, 0, 0, 0);
  with_socket(AF_INET, DATAGRAM, sub { call('sendmsg', $_[0], $message, 0) });
});

# What a target has no business doing; none of it would do harm if it were let.
act(75, sub { my $file = call('memfd_create', "memory,\"\n", 1); POSIX::close($file) if $file >= 0; $file });
act(76, sub { run_role('user', sub { call('setuid', 65534); call('setresuid', 65534, 65534, 65534) }) });
act(78, sub { run_role('traced', sub { call('ptrace', 0, 0, 0, 0) }) });
act(79, sub {
  pipe(my $ready, my $is_ready) or return -1;
  my $pid = fork_role('attached', sub { close $ready; close $is_ready; select undef, undef, undef, 20 });
  close $is_ready;
  sysread $ready, my $nothing, 1;
  my $result = call('ptrace', 16, $pid, 0, 0);
  my $errno = $! + 0;
  kill 'KILL', $pid if $pid > 0;
  wait_for($pid);
  $! = $errno;
  $result;
});
act(80, sub {
  my ($from, $to) = ('marker', "\0" x 6);
  call('process_vm_readv', $$, pack('P J', $to, 6), 1, pack('P J', $from, 6), 1, 0);
});
# 81 to 84
run_role('kernel', sub {
  call('unshare', 0x10000000);
  call('mount', 'none', $scratch, 'sixty-none', 0, 0);
  call('setns', -1, 0);
  call('io_uring_setup', 0, 0);
});
act(85, sub { open_file("$scratch/last", CREATE_WRITE) });

close $report_writer;
my @pids;
while (my $line = <$report_reader>) {
  my ($name, $pid) = split ' ', $line;
  push @pids, qq("$name":$pid);
}
my $errors = join ',', map { qq("$_":"$error{$_}") } sort { $a <=> $b } keys %error;
print '{"pids":{', join(',', @pids), "},\"errors\":{$errors}}\n";
