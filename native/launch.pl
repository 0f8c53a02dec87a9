# The launcher: the last program before a box, on the host's side.
#
#   perl launch.pl key=value ... -- program argument ...
#
#   arch=x64|arm64     which system call numbers hold
#   cgroup=FOLDER      join it (again for each controller)
#   network=FILE       join the network namespace that the file stands for
#   uid=N gid=N        become that user, with no groups
#   nanny=1            stay behind as parent of everything the program starts, and end it all when the program ends,
#                      when Hotcell ends, or on SIGTERM
#   landlock=FD        restrict to the ruleset in that file descriptor
#   seccomp=FD         install the filter read from that file descriptor
#   reaper=FD:FOLDER   leave a process behind that cleans up FOLDER when FD closes (see reaper.pl)
#   inline=1           the program is this interpreter with one script: go on with the script in this process
#
# All restrictions are put on the one thread that then executes the program: there is no other thread to forget.
use strict;    # and no `use warnings`: loading it would double the time this takes to start

my (%option, @cgroups);
while (@ARGV) {
  my $word = shift @ARGV;
  last if $word eq '--';
  my ($key, $value) = split /=/, $word, 2;
  if ($key eq 'cgroup') { push @cgroups, $value } else { $option{$key} = $value }
}

my %numbers = (
  x64   => { prctl => 157, seccomp => 317, setgroups => 116, setresgid => 119, setresuid => 117, setsid => 112, close => 3, setns => 308 },
  arm64 => { prctl => 167, seccomp => 277, setgroups => 159, setresgid => 149, setresuid => 147, setsid => 157, close => 57, setns => 268 },
);
my $number = $numbers{$option{arch}};

sub fail { print STDERR "hotcell launch: $_[0]: $!\n"; exit 69 }

sub restrict_and_become {
  for my $folder (@cgroups) {
    # Version 1 has a file for single threads, which we are: it spares the kernel a lock that costs 20 ms and more.
    my $door = -e "$folder/tasks" ? 'tasks' : 'cgroup.procs';
    open(my $file, '>', "$folder/$door") or fail("cannot join $folder");
    syswrite($file, '0') or fail("cannot join $folder");
    close $file;
  }
  if (defined $option{network}) {
    open(my $file, '<', $option{network}) or fail("cannot open the network $option{network}");
    syscall($number->{setns}, fileno $file, 0x40000000) == 0 or fail("cannot join the network $option{network}");
    close $file;
  }
  if (defined $option{gid}) {
    my $id = $option{gid} + 0;
    syscall($number->{setgroups}, 0, 0) == 0 or fail('cannot drop groups');
    syscall($number->{setresgid}, $id, $id, $id) == 0 or fail('cannot change the group');
  }
  if (defined $option{uid}) {
    my $id = $option{uid} + 0;
    syscall($number->{setresuid}, $id, $id, $id) == 0 or fail('cannot change the user');
  }
  if (defined $option{landlock} || defined $option{seccomp}) {
    # For a caller that is not root; a root caller has just lost its capabilities with its user.
    syscall($number->{prctl}, 24, $_, 0, 0, 0) for 0 .. 63;     # PR_CAPBSET_DROP, as far as allowed
    syscall($number->{prctl}, 38, 1, 0, 0, 0) == 0 or fail('cannot set no_new_privs');
  }
  if (defined $option{landlock}) {
    # The program may look at itself: its number in /proc is ours, and was not known when the ruleset was made. Not the
    # whole folder, since the sockets and the mounts of the host are in there as well.
    for my $name (qw(auxv cgroup cmdline comm environ fd fdinfo limits maps smaps stat statm status)) {
      sysopen(my $self, "/proc/$$/$name", 010000000) or next;    # O_PATH
      my $rule = pack('Q l', $name =~ /^fd/ ? 4 | 8 : 4, fileno $self);   # read files, and folders
      syscall(445, $option{landlock} + 0, 1, $rule, 0) == 0 or fail("cannot add /proc/self/$name to the ruleset");
    }
    syscall(446, $option{landlock} + 0, 0) == 0 or fail('cannot restrict with landlock');
  }
  if (defined $option{seccomp}) {
    open(my $file, '<&=', $option{seccomp}) or fail('cannot read the filter');
    binmode $file;
    local $/;
    my $program = <$file>;
    my $header = pack('S x6 P', length($program) / 8, $program);
    syscall($number->{seccomp}, 1, 0, $header) == 0 or fail('cannot install the filter');
  }
  if ($option{inline}) {
    # The program is Perl too: it goes on in this very process, which spares starting the interpreter once more.
    my $script = $ARGV[1];
    @ARGV = ();
    do $script;
    fail("cannot go on with $script");
  }
  exec { $ARGV[0] } @ARGV;
  fail("cannot start $ARGV[0]");
}

# Before we look after orphans ourselves. A nanny waits for all its children, so there it is forked twice and belongs to
# nobody; elsewhere it simply outlives its parent.
sub leave_reaper {
  my ($fd, $folder) = split /:/, $_[0], 2;
  my $first = fork;
  fail('cannot fork') unless defined $first;
  if ($first == 0) {
    exit 0 if $option{nanny} && fork;
    syscall($number->{setsid});
    open(STDIN, '<&', $fd); open(STDOUT, '>&', $fd); open(STDERR, '>', '/dev/null');
    if (opendir(my $open, '/proc/self/fd')) {
      my @files = grep { /^\d+$/ && $_ > 2 && $_ != fileno($open) } readdir $open;
      closedir $open;
      syscall($number->{close}, $_ + 0) for @files;
    }
    (my $script = $0) =~ s/launch\.pl$/reaper.pl/;
    @ARGV = ($folder);
    do $script;
    exit 1;
  }
  waitpid($first, 0) if $option{nanny};
  syscall($number->{close}, $fd + 0);
}

leave_reaper($option{reaper}) if defined $option{reaper};
restrict_and_become() unless $option{nanny};

# Whoever loses its parent below us becomes our child, so nothing gets away by forking twice.
syscall($number->{prctl}, 36, 1, 0, 0, 0) == 0 or fail('cannot become the reaper of orphans');
my $parent = getppid;
my $child = fork;
fail('cannot fork') unless defined $child;
if ($child == 0) { syscall($number->{setsid}); restrict_and_become() }
open(STDIN, '<', '/dev/null'); open(STDOUT, '>', '/dev/null');

my $ending = 0;
$SIG{TERM} = $SIG{INT} = $SIG{HUP} = sub { $ending = 1; kill 'KILL', $child };
syscall($number->{prctl}, 1, 15, 0, 0, 0);                     # SIGTERM when Hotcell dies
if (getppid != $parent) { $ending = 1; kill 'KILL', $child }

my $status = 0;
while (1) {
  my $ended = waitpid(-1, 0);
  my $code = $?;
  if ($ended == -1) { next if $! == 4; last }                 # EINTR
  if ($ended == $child) { $status = ($code & 127) ? 128 + ($code & 127) : $code >> 8; last }
}

sub descendants {
  my %children;
  opendir(my $folder, '/proc') or return ();
  for my $pid (grep { /^\d+$/ } readdir $folder) {
    open(my $file, '<', "/proc/$pid/stat") or next;
    my $line = <$file>;
    push @{$children{$1}}, $pid if defined $line && $line =~ /.*\) \S (\d+) /s;
  }
  my (@found, @todo);
  @todo = @{$children{$$} || []};
  while (@todo) { my $pid = shift @todo; push @found, $pid; push @todo, @{$children{$pid} || []} }
  return @found;
}

# Whoever is left is our child by now, or a child of one: no children means that nothing is left.
for my $round (1 .. 500) {
  my $ended;
  do { $ended = waitpid(-1, 1) } while ($ended > 0);
  last if $ended == -1;
  kill 'KILL', descendants();
  select(undef, undef, undef, 0.002 * ($round > 50 ? 10 : 1));
}
exit $status;
