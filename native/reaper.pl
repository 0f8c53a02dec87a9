# The reaper: undoes what one box has done to the host. It outlives Hotcell.
#
#   perl reaper.pl FOLDER          waits until Hotcell closes its end of our input, or dies, and then cleans
#
# FOLDER/undo has one line per thing that was made, written before it was made, undone from the last to the first:
#
#   cgroup FOLDER          end every process in it, then remove it and what is below
#   user UID               end every process of that user (a number made for this box alone)
#   docker SOCKET ID       remove that container
#   umount FOLDER
#   network FILE           remove that name of a network namespace; the namespace goes with its last process
#   arch x64|arm64         which system call numbers hold (stands first)
#
# Fields are percent-encoded. At the end FOLDER itself is removed. Prints one line per thing that could not be undone,
# or "clean".
use strict;    # and no `use warnings`: loading it would double the time this takes to start

$| = 1;
$SIG{$_} = 'IGNORE' for qw(INT TERM HUP QUIT PIPE USR1 USR2);
my ($folder) = @ARGV;
die "reaper: not a box: $folder\n" unless defined $folder && -d $folder && !-l $folder && -f "$folder/undo";
my $failed = 0;
my $architecture = 'x64';

$0 = "hotcell-reaper $folder";
my $byte;
1 while sysread(STDIN, $byte, 64);

sub complain { $failed = 1; print "$_[0]\n" }
sub pause { select(undef, undef, undef, $_[0]) }
sub slurp { my ($path) = @_; open(my $file, '<', $path) or return ''; local $/; my $text = <$file>; return defined $text ? $text : '' }
sub spill { my ($path, $text) = @_; open(my $file, '>', $path) or return 0; return syswrite($file, $text) }

# Everything below a folder of the cgroup file system, deepest first.
sub groups_below {
  my ($path) = @_;
  opendir(my $handle, $path) or return ();
  my @inner = grep { !/^\./ && -d "$path/$_" && !-l "$path/$_" } readdir $handle;
  closedir $handle;
  return ((map { groups_below("$path/$_") } @inner), $path);
}

sub undo_cgroup {
  my ($path) = @_;
  return unless -d $path;
  for my $round (1 .. 400) {
    my @groups = groups_below($path);
    spill("$path/pids.max", '0') if -e "$path/pids.max";
    spill("$path/cgroup.kill", '1') if -e "$path/cgroup.kill";
    my %pids;
    $pids{$_} = 1 for grep { $_ > 1 && $_ != $$ } map { split /\n/, slurp("$_/cgroup.procs") } @groups;
    kill 'KILL', keys %pids if %pids;
    if (!%pids) {
      rmdir $_ for @groups;
      last unless -d $path;
    }
    pause($round < 40 ? 0.001 : 0.02);
  }
  complain("cgroup $path remains: $!") if -d $path;
  my ($parent) = $path =~ m{^(.*/hotcell)/[^/]+$};
  rmdir $parent if defined $parent;       # fails while other boxes live in it, and that is right
}

sub undo_user {
  my ($uid) = @_;
  return if $uid < 1000;
  for my $round (1 .. 200) {
    my @pids;
    opendir(my $handle, '/proc') or return;
    for my $pid (grep { /^\d+$/ && $_ != $$ } readdir $handle) {
      my @stat = stat("/proc/$pid") or next;
      push @pids, $pid if $stat[4] == $uid;
    }
    closedir $handle;
    my @alive = grep { slurp("/proc/$_/stat") !~ /.*\) [ZX] /s } @pids;
    last unless @alive;
    kill 'KILL', @alive;
    pause($round < 40 ? 0.001 : 0.02);
    complain("processes of user $uid remain") if $round == 200;
  }
}

sub undo_docker {
  my ($socket, $id) = @_;
  return unless -S $socket;
  require IO::Socket::UNIX;
  my $peer = IO::Socket::UNIX->new(Peer => $socket, Timeout => 5) or return;
  local $SIG{ALRM} = sub { die "time\n" };
  my $answer = eval {
    alarm 20;
    print $peer "DELETE /containers/$id?force=true&v=true HTTP/1.0\r\nHost: docker\r\n\r\n";
    my $line = <$peer>;
    alarm 0;
    $line;
  };
  complain("container $id remains: " . (defined $answer ? $answer =~ s/\s+$//r : 'no answer'))
    unless defined $answer && $answer =~ / (204|404|409) /;
}

sub undo_umount {
  my ($path) = @_;
  my %mounted = map { (split / /)[4] => 1 } split /\n/, slurp('/proc/self/mountinfo');
  return unless $mounted{$path};
  my $umount2 = $architecture eq 'arm64' ? 39 : 166;
  my $done = -1;
  for my $round (1 .. 100) {
    my $name = $path;
    $done = syscall($umount2, $name, 0);
    last if $done == 0;
    pause(0.005);
  }
  $done = syscall($umount2, my $name = $path, 2) if $done != 0;          # MNT_DETACH
  complain("mount $path remains: $!") if $done != 0;
}

sub undo_network {
  my ($path) = @_;
  return unless $path =~ m{^/run/netns/hotcell-[a-z0-9-]+$} && -e $path;
  undo_umount($path);
  unlink $path or complain("network $path remains: $!");
}

my %undo = (cgroup => \&undo_cgroup, user => \&undo_user, docker => \&undo_docker, umount => \&undo_umount,
            network => \&undo_network);
my @lines = split /\n/, slurp("$folder/undo");
for (@lines) { $architecture = $1 if /^arch (\w+)$/ }
for my $line (reverse @lines) {
  my ($verb, @fields) = split / /, $line;
  s/%([0-9a-f]{2})/chr hex $1/ge for @fields;
  next unless defined $verb && $undo{$verb};
  $undo{$verb}->(@fields);
}

# A target may leave trees deeper than any path may be long: rm walks them by folder, and never follows a link.
if (!$failed) {
  system('rm', '-rf', '--one-file-system', '--', $folder);
  complain("folder $folder remains") if -d $folder;
}
print "clean\n" unless $failed;
exit($failed ? 1 : 0);
