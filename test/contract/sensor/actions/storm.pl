# Makes as many system calls as it is told to, as fast as it can; every one can be told from every other.
#
#   perl storm.pl SCRATCH OPENS EXECS CONNECTS
#
#   open      SCRATCH/storm-0, storm-1, ...        every thousandth is created, the others are missing
#   exec      /usr/bin/true storm-exec-0, ...      each in a process of its own
#   connect   127.77.0.0:1, 127.77.0.1:1, ...      nobody listens there; where there are no sockets, on descriptor -1
#
# The three are mixed evenly. At the end one line of JSON says what was done. ../expect/storm.ts counts the events.
use strict;
use warnings;
use Fcntl;
use POSIX ();

my ($scratch, @counts) = @ARGV;
die "usage: storm.pl SCRATCH OPENS EXECS CONNECTS\n"
  if @counts != 3 || grep({ !/^\d{1,7}$/ } @counts) || $counts[2] > 65536 || !-d $scratch;
my ($opens, $execs, $connects) = map { $_ + 0 } @counts;
alarm 900;

my $is_arm = (POSIX::uname())[4] =~ /^(aarch64|arm64)/ ? 1 : 0;
my $connect_call = $is_arm ? 203 : 42;
my $socket_call = $is_arm ? 198 : 41;
my %done = (opens => 0, execs => 0, connects => 0, refusedSockets => 0);

sub open_one {
  my ($at) = @_;
  my $flags = $at % 1000 == 0 ? O_WRONLY | O_CREAT : O_RDONLY;
  if (sysopen my $file, "$scratch/storm-$at", $flags) { close $file }
  $done{opens}++;
}

sub exec_one {
  my ($at) = @_;
  my $pid = fork // return;
  if ($pid == 0) {
    exec {'/usr/bin/true'} 'true', "storm-exec-$at" or POSIX::_exit(1);
  }
  waitpid $pid, 0;
  $done{execs}++ if $? == 0;
}

sub connect_one {
  my ($at) = @_;
  # IPv4, stream, not blocking
  my $socket = syscall($socket_call, 2, 1 | 04000, 0);
  $done{refusedSockets}++ if $socket < 0;
  my $address = pack('S n C4 x8', 2, 1, 127, 77, $at >> 8, $at & 255);
  syscall($connect_call, $socket, $address, 16);
  POSIX::close($socket) if $socket >= 0;
  $done{connects}++;
}

# Where the others stand when so many opens are done.
my ($exec, $connect) = (0, 0);
for my $open (0 .. $opens - 1) {
  open_one($open);
  exec_one($exec++) while $exec < $execs * ($open + 1) / $opens;
  connect_one($connect++) while $connect < $connects * ($open + 1) / $opens;
}
exec_one($exec++) while $exec < $execs;
connect_one($connect++) while $connect < $connects;

print '{"pid":', $$, map({ ",\"$_\":$done{$_}" } sort keys %done), "}\n";
