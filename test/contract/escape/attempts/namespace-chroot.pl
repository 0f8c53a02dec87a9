# changes its root folder and climbs out of it
mkdir "$given{tmp}/jail";
must_fail('chroot', "$given{tmp}/jail");
