# removes a kernel module
must_be_refused('delete_module', 'hotcell_none', 0x800);
