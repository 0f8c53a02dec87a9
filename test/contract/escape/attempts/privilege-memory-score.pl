# makes itself the last to be ended when memory runs out
sysopen(my $file, '/proc/self/oom_score_adj', O_WRONLY) or contained('open: ' . failure());
defined syswrite($file, '-900') or contained('write: ' . failure());
escaped('will be spared');
