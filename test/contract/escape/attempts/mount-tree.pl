# clones the tree of mounts with open_tree
must_be_refused('open_tree', -100, '/', 0x8001);
