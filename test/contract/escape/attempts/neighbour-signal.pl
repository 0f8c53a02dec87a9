# signals a process in another box
kill('URG', $given{neighbour}) or contained('kill: ' . failure());
contained('no victim felt it');
