# reboots (with magic numbers that cannot be right)
must_be_refused('reboot', 0, 0, 0, 0);
