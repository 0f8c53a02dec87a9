# swaps a folder and a link as fast as it can while the host reads and writes below
mkdir "$given{tmp}/spot";
open(my $file, '>', "$given{tmp}/spot/secret") or contained('create: ' . failure());
print $file 'nothing here';
close $file;
symlink($given{openFolder}, "$given{tmp}/swap") or contained('symlink: ' . failure());
print "ready\n";
my ($end, $count) = (time + 15, 0);
while (time < $end && !ready(\*STDIN, 0, 0)) {
  for (1 .. 25) {
    # At once, and in three steps, between which there is nothing at that place.
    call('renameat2', -100, "$given{tmp}/spot", -100, "$given{tmp}/swap", 2);
    rename("$given{tmp}/spot", "$given{tmp}/third");
    rename("$given{tmp}/swap", "$given{tmp}/spot");
    rename("$given{tmp}/third", "$given{tmp}/swap");
    $count += 2;
  }
}
contained("the host did not follow in $count swaps");
