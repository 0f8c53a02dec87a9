# makes event counters and file watchers until it is refused
my @counts;
for my $name ('eventfd2', 'inotify_init1') {
  my ($done, $error, @held) = (0, '');
  while ($done < $given{openFiles} + 16) {
    my ($number, $refused) = $name eq 'eventfd2' ? call($name, 0, 0) : call($name, 0);
    $error = $refused, last if $number == -1;
    push @held, $number;
    $done++;
  }
  call('close', $_) for @held;
  escaped("$done of $name") if $error eq '';
  push @counts, "$name: $error after $done";
}
contained(join ', ', @counts);
