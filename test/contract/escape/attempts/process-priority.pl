# sets the priority of processes outside
my @errors;
for my $pid (@given{qw(hotcell victimRoot victimOther)}) {
  $! = 0;
  setpriority(0, $pid + 0, 0) and escaped("set the priority of $pid");
  push @errors, failure();
}
contained("setpriority: @errors");
