# signals every process and every group that it may
kill('URG', -1);
kill('URG', -$given{$_}) for qw(hotcell victimRoot victimOther);
contained('no victim felt it');
