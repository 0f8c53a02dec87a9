# opens a System V message queue of the host
my $id = msgget($given{ipcKey} + 0, 0);
contained('msgget: ' . failure()) if !defined $id;
escaped("message queue $id");
