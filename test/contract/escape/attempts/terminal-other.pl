# writes to a terminal of the host
try_write($given{terminal});
