# changes the times of a world-writable file of the host
utime(undef, undef, $given{timesFile}) or contained('utime: ' . failure());
escaped('changed the times');
