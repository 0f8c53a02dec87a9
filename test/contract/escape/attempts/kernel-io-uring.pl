# makes an io_uring, whose operations no system call filter sees
my $parameters = "\0" x 120;
must_be_refused('io_uring_setup', 4, $parameters);
