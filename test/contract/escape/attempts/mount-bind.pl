# binds the root folder into its own
mkdir "$given{tmp}/mount";
must_fail('mount', '/', "$given{tmp}/mount", 0, 0x5000, 0);
