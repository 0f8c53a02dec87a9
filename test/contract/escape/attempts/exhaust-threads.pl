# starts threads until it is refused (2,000 at most)
eval { require threads; 1 } or not_applicable('this perl has no threads');
my ($end, @threads) = (time + 10);
while (@threads < 2000 && time < $end) {
  my $thread = do { no warnings; threads->create({ stack_size => 65536 }, sub { sleep 20 }) };
  last if !defined $thread;
  push @threads, $thread;
  print 'progress: ', scalar(@threads), "\n" if @threads % 16 == 0;
}
escaped(@threads . ' threads') if @threads > $given{processes} || time >= $end;
contained('refused after ' . @threads);
