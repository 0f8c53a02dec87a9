# makes network, process, host name, message, cgroup and time namespaces
my @errors;
for my $flag (0x40000000, 0x20000000, 0x4000000, 0x8000000, 0x2000000, 0x80) {
  my ($done, $error) = call('unshare', $flag);
  escaped(sprintf 'unshare %x', $flag) if $done != -1;
  push @errors, $error;
}
contained("unshare: @errors");
