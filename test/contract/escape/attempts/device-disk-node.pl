# makes its own node for the disk of the host and opens it
my $node = "$given{tmp}/disk-node";
my ($major, $minor) = ($given{diskMajor} + 0, $given{diskMinor} + 0);
my ($made, $error) = call('mknodat', -100, $node, 0060600, ($major << 8) | $minor);
contained("mknod: $error") if $made == -1;
try_open($node);
