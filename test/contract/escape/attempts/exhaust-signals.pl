# queues signals until it is refused (500,000 at most)
my $set = POSIX::SigSet->new(40);
POSIX::sigprocmask(POSIX::SIG_BLOCK(), $set);
for my $done (0 .. 500_000) {
  my $info = pack('llllLL', 40, 0, -1, $$, $<, 0) . "\0" x 104;
  my ($queued, $error) = call('rt_sigqueueinfo', $$, 40, $info);
  contained("rt_sigqueueinfo: $error after $done") if $queued == -1;
}
escaped('500,000 signals wait');
