# switches off its system call filter
my ($done, $error) = call('prctl', 22, 0, 0, 0, 0);
escaped('switched it off') if $done != -1;
my $mode = status_of('Seccomp') // 'unknown';
escaped("seccomp mode $mode") if $mode ne '2';
contained("prctl: $error, and the mode is 2");
