# presses a (harmless) magic key through /proc/sysrq-trigger
sysopen(my $file, '/proc/sysrq-trigger', O_WRONLY) or contained('open: ' . failure());
defined syswrite($file, 'h') or contained('write: ' . failure());
escaped('pressed a magic key');
