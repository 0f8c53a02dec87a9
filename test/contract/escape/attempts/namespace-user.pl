# makes a user namespace
must_be_refused('unshare', 0x10000000);
