# reads a world-readable file that another user keeps in /tmp
try_read($given{secret});
