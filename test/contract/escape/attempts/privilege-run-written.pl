# runs a program that it wrote to a folder it may only write to
my $path = "$given{tmp}/written";
my $bytes = read_bytes('/usr/bin/true', 1 << 20) // contained('read: ' . failure());
open(my $file, '>', $path) or contained('create: ' . failure());
print $file $bytes;
close $file;
chmod 0755, $path;
my $pid = fork() // contained('fork: ' . failure());
if ($pid == 0) {
  { no warnings; exec {$path} $path }
  POSIX::_exit(100 + $!);
}
waitpid($pid, 0);
escaped('ran what it wrote') if $? == 0;
contained('exec: ' . error_name(($? >> 8) - 100));
