# starts a process in mount, network and process namespaces with clone
my @errors;
for my $flag (0x20000, 0x40000000, 0x20000000, 0x4000000, 0x8000000, 0x2000000) {
  my ($pid, $error) = call('clone', $flag | 17, 0, 0, 0, 0);
  POSIX::_exit(0) if $pid == 0;
  escaped(sprintf 'clone %x', $flag) if $pid != -1;
  push @errors, $error;
}
contained("clone: @errors");
