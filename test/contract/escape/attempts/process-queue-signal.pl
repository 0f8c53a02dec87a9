# queues a signal with a value to processes outside
my @errors;
for my $pid (@given{qw(hotcell victimRoot victimOther)}) {
  my $info = pack('llllLL', 23, 0, -1, $$, $<, 0) . "\0" x 104;
  my ($done, $error) = call('rt_sigqueueinfo', $pid + 0, 23, $info);
  escaped("signalled $pid") if $done != -1;
  push @errors, $error;
}
contained("rt_sigqueueinfo: @errors");
