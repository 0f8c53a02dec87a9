# starts setuid programs of the system and looks whose rights they have
my ($found, @seen) = (0);
for my $name (qw(su passwd chfn newgrp mount sudo)) {
  my $path = "/usr/bin/$name";
  my @fact = stat $path or next;
  next if !($fact[2] & 04000);
  $found++;
  pipe(my $from, my $to);
  my $pid = fork() // contained('fork: ' . failure());
  if ($pid == 0) {
    open(STDIN, '<&', $from);
    open(STDOUT, '>', '/dev/null');
    open(STDERR, '>', '/dev/null');
    close $to;
    { no warnings; exec {$path} $path, $name eq 'mount' ? ('-a') : () }
    POSIX::_exit(9);
  }
  for (1 .. 20) {
    my $users = status_of('Uid', $pid) // last;
    my (undef, $effective) = split ' ', $users;
    kill('KILL', $pid), escaped("$name runs as 0") if defined $effective && $effective == 0 && $> != 0;
    select(undef, undef, undef, 0.01);
  }
  kill 'KILL', $pid;
  waitpid($pid, 0);
  push @seen, $name;
}
not_applicable('no setuid program is in sight') if !$found;
contained("no rights from @seen");
