# makes its own node for /dev/mem and opens it
my $node = "$given{tmp}/memory-node";
my ($made, $error) = call('mknodat', -100, $node, 0020600, (1 << 8) | 1);
contained("mknod: $error") if $made == -1;
try_open($node);
