# adds and removes swap space
my ($done, $error) = call('swapoff', '/nonexistent/hotcell');
escaped("swapoff was let in: $error") if $error !~ /^(EPERM|EACCES|ENOSYS)$/;
must_be_refused('swapon', '/nonexistent/hotcell', 0);
