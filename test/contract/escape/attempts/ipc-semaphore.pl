# opens a System V semaphore of the host
my $id = semget($given{ipcKey} + 0, 0, 0);
contained('semget: ' . failure()) if !defined $id;
escaped("semaphore $id");
