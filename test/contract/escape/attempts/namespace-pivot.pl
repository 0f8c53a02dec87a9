# swaps its root folder
must_fail('pivot_root', $given{tmp}, $given{tmp});
