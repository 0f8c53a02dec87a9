# opens a POSIX message queue of the host
must_fail('mq_open', $given{queue}, O_RDONLY | O_NONBLOCK, 0, 0);
