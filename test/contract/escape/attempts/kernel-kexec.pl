# loads another kernel (with arguments that cannot be right)
must_be_refused('kexec_load', 0, 100_000, 0, 0);
