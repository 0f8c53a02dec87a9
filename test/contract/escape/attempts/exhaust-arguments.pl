# starts a program with arguments of 64 MiB
my $pid = fork() // contained('fork: ' . failure());
if ($pid == 0) {
  { no warnings; exec {'/usr/bin/true'} '/usr/bin/true', map { 'x' x 131_000 } 1 .. 500 }
  POSIX::_exit(100 + $!);
}
waitpid($pid, 0);
escaped('started with 64 MiB of arguments') if $? == 0;
contained($? & 127 ? 'ended by signal ' . ($? & 127) : 'exec: ' . error_name(($? >> 8) - 100));
