# traces a process in another box
must_fail('ptrace', 0x4206, $given{neighbour} + 0, 0, 0);
