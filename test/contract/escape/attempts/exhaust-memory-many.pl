# takes memory in eight processes at once, each below the limit
my $each = int($given{memory} / 3);
pipe(my $from, my $to);
my %state;
for (1 .. 8) {
  my $pid = fork() // last;
  if ($pid == 0) {
    close $from;
    my @held;
    while (@held * (4 << 20) < $each) { push @held, 'x' x (4 << 20) }
    syswrite($to, pack('L', $$));
    sleep 30;
    POSIX::_exit(0);
  }
  $state{$pid} = 'growing';
}
close $to;
# Until each of them has all it wants, or is gone.
my $end = time + 20;
while (time < $end && grep { $_ eq 'growing' } values %state) {
  if (ready($from, 0, 0.2) && sysread($from, my $bytes, 4)) { $state{unpack 'L', $bytes} = 'full' }
  for my $pid (keys %state) { $state{$pid} = 'gone' if $state{$pid} ne 'gone' && waitpid($pid, POSIX::WNOHANG()) }
}
my $full = grep { $_ eq 'full' } values %state;
kill 'KILL', grep { $state{$_} ne 'gone' } keys %state;
escaped("$full processes hold @{[int($each * $full / (1 << 20))]} MiB together") if $each * $full > $given{memory} * 1.2;
contained("$full of @{[scalar keys %state]} processes got all they wanted");
