# has the kernel signal a process in another box when a pipe of its own becomes readable
pipe(my $from, my $to) or contained('pipe: ' . failure());
fcntl($from, 8, $given{neighbour} + 0) or contained('fcntl: ' . failure());
fcntl($from, 10, 23);
fcntl($from, F_SETFL, O_NONBLOCK | 020000);
syswrite($to, 'x');
select(undef, undef, undef, 0.1);
contained('no victim felt it');
