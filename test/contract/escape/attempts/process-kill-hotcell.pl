# signals the hotcell process
kill('URG', $given{hotcell}) or contained('kill: ' . failure());
escaped('signalled');
