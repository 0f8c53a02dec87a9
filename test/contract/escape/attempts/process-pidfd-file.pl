# takes open files out of outside processes
my @errors;
for my $pid (@given{qw(hotcell victimRoot victimOther)}) {
  my ($handle, $closed) = call('pidfd_open', $pid + 0, 0);
  push(@errors, "open $closed"), next if $handle == -1;
  my ($file, $error) = call('pidfd_getfd', $handle, 0, 0);
  escaped("took a file of $pid") if $file != -1;
  push @errors, "take $error";
}
contained(join ', ', @errors);
