# has the kernel signal outside processes when a pipe of its own becomes readable
pipe(my $from, my $to) or contained('pipe: ' . failure());
for my $pid (@given{qw(hotcell victimRoot victimOther)}) {
  fcntl($from, 8, $pid + 0) or next;
  fcntl($from, 10, 23);
  fcntl($from, F_SETFL, O_NONBLOCK | 020000);
  syswrite($to, 'x');
  sysread($from, my $byte, 1);
}
select(undef, undef, undef, 0.1);
contained('no victim felt it');
