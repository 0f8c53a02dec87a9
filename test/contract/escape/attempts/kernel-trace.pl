# has itself traced
must_be_refused('ptrace', 0, 0, 0, 0);
