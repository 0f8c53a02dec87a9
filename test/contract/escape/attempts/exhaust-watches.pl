# watches files until it is refused (2,000,000 at most)
my ($number, $error) = call('inotify_init1', 0);
contained("inotify_init1: $error") if $number == -1;
my ($count, $end) = (0, time + 20);
OUTER: for my $folder (0 .. 2000) {
  mkdir "$given{tmp}/watched-$folder" or $error = failure(), last;
  for my $file (0 .. 200) {
    my $path = "$given{tmp}/watched-$folder/$file";
    sysopen(my $handle, $path, O_WRONLY | O_CREAT, 0600) or $error = failure(), last OUTER;
    close $handle;
    my ($watch, $refused) = call('inotify_add_watch', $number, $path, 2);
    $error = $refused, last OUTER if $watch == -1;
    $count++;
  }
  last if time > $end;
}
contained("refused after $count: $error") if $error;
escaped("$count watches");
