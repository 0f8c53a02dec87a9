# reads a shared memory segment of another box
my $id = shmget($given{neighbourKey} + 0, 0, 0);
contained('shmget: ' . failure()) if !defined $id;
shmread($id, my $bytes, 0, 64) or contained('shmread: ' . failure());
escaped('bytes ' . unpack('H*', $bytes));
