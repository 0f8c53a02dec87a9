# reads a System V shared memory segment of the host
my $id = shmget($given{ipcKey} + 0, 0, 0);
contained('shmget: ' . failure()) if !defined $id;
shmread($id, my $bytes, 0, 64) or contained('shmread: ' . failure());
escaped('bytes ' . unpack('H*', $bytes));
