# moves a host file into its own folder, and one of its own out
rename("$given{openFolder}/remove-me", "$given{tmp}/taken") and escaped('moved a host file in');
my $first = failure();
open(my $file, '>', "$given{tmp}/own") or contained('create: ' . failure());
rename("$given{tmp}/own", "$given{openFolder}/planted-$given{token}") and escaped('moved a file out');
contained("in: $first, out: " . failure());
