# watches the processor with perf_event_open
my $wish = pack('LLQQQQQ', 1, 64, 0, 0, 0, 0, 0x61) . "\0" x 16;
must_be_refused('perf_event_open', $wish, 0, -1, -1, 0);
