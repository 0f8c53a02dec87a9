# writes to a world-writable file of the host
try_write($given{openFile});
