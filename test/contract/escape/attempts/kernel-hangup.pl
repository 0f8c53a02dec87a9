# hangs up the terminal
must_fail('vhangup');
