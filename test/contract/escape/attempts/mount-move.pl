# moves a mount with move_mount
must_be_refused('move_mount', -100, '/usr', -100, $given{tmp}, 0);
