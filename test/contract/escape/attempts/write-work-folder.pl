# writes to the work folder, which its policy gives it to read
sysopen(my $file, "$given{work}/hotcell-$given{token}", O_WRONLY | O_CREAT, 0644) and escaped('made a file in the work folder');
my $first = failure();
sysopen($file, $0, O_WRONLY) and escaped('opened its own program for writing');
my $second = failure();
chmod(0777, $given{work}) and sysopen($file, "$given{work}/hotcell-$given{token}", O_WRONLY | O_CREAT, 0644) and escaped('changed the mode and made a file');
contained("create: $first, open: $second, chmod: " . failure());
