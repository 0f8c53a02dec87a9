# links an open host file into its own folder by its descriptor
sysopen(my $file, '/etc/passwd', O_RDONLY) or contained('open: ' . failure());
must_fail('linkat', fileno($file), '', -100, "$given{tmp}/hard", 0x1000);
