# asks for the kernel's key rings
must_be_refused('keyctl', 0, -3, 0, 0, 0);
