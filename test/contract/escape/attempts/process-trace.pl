# traces processes outside
my @errors;
for my $pid (@given{qw(hotcell victimRoot victimOther)}) {
  my ($done, $error) = call('ptrace', 0x4206, $pid + 0, 0, 0);
  escaped("traces $pid") if $done != -1;
  push @errors, $error;
}
contained("ptrace: @errors");
