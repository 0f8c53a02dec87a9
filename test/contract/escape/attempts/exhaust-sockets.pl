# fills socket pairs until it is refused
my ($bytes, $done, @held, $error) = ('x' x 65536, 0);
while ($done < $given{memory} * 1.2 && $done < 4 << 30) {
  socketpair(my $from, my $to, AF_UNIX, SOCK_STREAM, 0) or $error = failure(), last;
  fcntl($to, F_SETFL, O_NONBLOCK);
  push @held, $from, $to;
  while (my $count = syswrite($to, $bytes)) { $done += $count }
}
contained("refused after @{[scalar @held]} ends and @{[$done >> 20]} MiB: $error") if defined $error;
escaped("@{[$done >> 20]} MiB in sockets");
