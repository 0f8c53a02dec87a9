# becomes a member of the root group
my $list = pack('L', 0);
my ($done, $error) = call('setgroups', 1, $list);
escaped('is in group 0') if $done != -1;
must_fail('setresgid', 0, 0, 0);
