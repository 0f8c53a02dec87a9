# makes a program in /usr/bin and writes to one that is there
sysopen(my $file, "/usr/bin/hotcell-$given{token}", O_WRONLY | O_CREAT, 0755) and escaped('made a file in /usr/bin');
my $first = failure();
sysopen($file, '/usr/bin/perl', O_WRONLY) and escaped('opened /usr/bin/perl for writing');
contained("create: $first, open: " . failure());
