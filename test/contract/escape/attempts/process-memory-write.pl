# writes to the memory of processes outside
my @errors;
for my $pid (@given{qw(hotcell victimRoot victimOther)}) {
  my $buffer = "\0" x 8;
  my $local = pack('pQ', $buffer, 8);
  my $remote = pack('QQ', 8, 8);
  my ($count, $error) = call('process_vm_writev', $pid + 0, $local, 1, $remote, 1, 0);
  escaped("may write to memory of $pid") if $count != -1 || $error eq 'EFAULT';
  push @errors, $error;
}
contained("process_vm_writev: @errors");
