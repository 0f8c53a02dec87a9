# asks the kernel to look for a key
must_be_refused('request_key', 'user', 'hotcell-none', 0, 0);
