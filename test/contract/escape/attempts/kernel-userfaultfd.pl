# handles its own page faults with userfaultfd
my ($file, $error) = call('userfaultfd', 0);
escaped('made one for faults of the kernel') if $file != -1;
must_be_refused('userfaultfd', 1);
