# sends the one signal that a whole session may send to each other
my @errors;
for my $pid (@given{qw(hotcell victimRoot victimOther)}) {
  kill('CONT', $pid) and escaped("signalled $pid");
  push @errors, failure();
}
contained("kill: @errors");
