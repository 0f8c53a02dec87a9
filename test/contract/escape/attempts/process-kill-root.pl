# signals a process of root
kill('URG', $given{victimRoot}) or contained('kill: ' . failure());
escaped('signalled');
