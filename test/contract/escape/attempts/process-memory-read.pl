# reads the memory of processes outside
my @errors;
for my $pid (@given{qw(hotcell victimRoot victimOther)}) {
  my $buffer = "\0" x 64;
  my $local = pack('pQ', $buffer, 64);
  my $remote = pack('QQ', 0x400000, 64);
  my ($count, $error) = call('process_vm_readv', $pid + 0, $local, 1, $remote, 1, 0);
  escaped("read memory of $pid") if $count != -1 || $error eq 'EFAULT';
  push @errors, $error;
}
contained("process_vm_readv: @errors");
