# loads a kernel module from memory
must_be_refused('init_module', '', 0, '');
