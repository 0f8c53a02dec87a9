# signals a process of another user
kill('URG', $given{victimOther}) or contained('kill: ' . failure());
escaped('signalled');
