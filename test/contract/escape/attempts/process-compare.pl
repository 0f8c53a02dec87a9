# compares its open files with those of processes outside
my @errors;
for my $pid (@given{qw(hotcell victimRoot victimOther)}) {
  my ($order, $error) = call('kcmp', $$, $pid + 0, 1, 0, 0);
  escaped("compared with $pid") if $order != -1;
  push @errors, $error;
}
contained("kcmp: @errors");
