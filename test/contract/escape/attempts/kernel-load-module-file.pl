# loads a kernel module from a file
must_be_refused('finit_module', -1, '', 0);
