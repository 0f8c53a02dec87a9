# nests folders 10,000 deep and has the host list and remove them
chdir $given{tmp} or contained('chdir: ' . failure());
my $depth = 0;
while ($depth < 10_000) {
  mkdir('deep', 0700) or last;
  chdir 'deep' or last;
  $depth++;
}
let_host_act();
contained("the host coped with $depth levels");
