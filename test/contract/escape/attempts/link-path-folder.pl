# opens a host file below an O_PATH handle of its folder
my ($handle, $error) = call('openat', -100, $given{bait}, 0x210000, 0);
contained("open: $error") if $handle == -1;
my ($file, $below) = call('openat', $handle, 'secret', 0, 0);
contained("open below: $below") if $file == -1;
escaped('opened a file below the handle');
