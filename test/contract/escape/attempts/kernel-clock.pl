# sets the clock with clock_settime (to a time that cannot be right)
my $time = pack('qq', 0, -1);
my ($done, $error) = call('clock_settime', 0, $time);
escaped('set the clock') if $done != -1;
escaped("clock_settime was let in: $error") if has_capability(25);
contained("clock_settime: $error, and no capability to set it");
