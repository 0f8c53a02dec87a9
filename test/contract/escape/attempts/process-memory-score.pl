# opens the out-of-memory score of processes outside for writing
my @errors;
for my $pid (@given{qw(hotcell victimRoot victimOther)}) {
  sysopen(my $file, "/proc/$pid/oom_score_adj", O_WRONLY) and escaped("opened the score of $pid");
  push @errors, failure();
}
contained("open: @errors");
