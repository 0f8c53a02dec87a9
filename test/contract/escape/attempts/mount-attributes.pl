# clears the read-only mark of a mount with mount_setattr
my $attributes = pack('QQQQ', 0, 1, 0, 0);
must_be_refused('mount_setattr', -100, '/', 0, $attributes, 32);
