# ignores every signal that can be ignored (20 seconds at most)
$SIG{$_} = 'IGNORE' for qw(TERM INT HUP QUIT USR1 USR2 PIPE ALRM TSTP TTIN TTOU);
my $end = time + 20;
while (time < $end) { select(undef, undef, undef, 0.2) }
escaped('nobody ended it');
