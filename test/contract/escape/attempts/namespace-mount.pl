# makes a mount namespace
must_be_refused('unshare', 0x20000);
