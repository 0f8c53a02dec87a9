# makes a refused call through the x32 numbering, in case the filter knows one numbering only
not_applicable('this processor has one numbering') if $is_arm;
my $pid = fork() // contained('fork: ' . failure());
if ($pid == 0) {
  my $result = syscall(0x40000000 | 250, 0, -3, 0, 0, 0);
  POSIX::_exit($result == -1 ? ($! + 0) : 200);
}
waitpid($pid, 0);
contained('ended by signal ' . ($? & 127)) if $? & 127;
my $code = $? >> 8;
escaped('keyctl was let in') if $code == 200;
contained('keyctl: ' . error_name($code)) if error_name($code) =~ /^(EPERM|EACCES|ENOSYS)$/;
escaped('keyctl was let in: ' . error_name($code));
