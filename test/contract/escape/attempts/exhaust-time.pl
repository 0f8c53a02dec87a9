# computes past the end of its time (20 seconds at most)
my ($end, $sum) = (time + 20, 0);
while (time < $end) { $sum += $_ for 1 .. 100_000 }
escaped('nobody ended it');
