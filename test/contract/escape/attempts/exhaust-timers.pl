# makes timers until it is refused (500,000 at most)
for my $done (0 .. 500_000) {
  my $id = pack('l', 0);
  my ($made, $error) = call('timer_create', 1, 0, $id);
  contained("timer_create: $error after $done") if $made == -1;
}
escaped('500,000 timers');
