# lists the world-readable folder that another user keeps in /tmp
try_list($given{bait});
