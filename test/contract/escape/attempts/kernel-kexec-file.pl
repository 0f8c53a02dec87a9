# loads another kernel from a file (with arguments that cannot be right)
must_be_refused('kexec_file_load', -1, -1, 0, 0, 0xffff);
