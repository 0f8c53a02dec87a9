# leaves shared memory, a message queue and a semaphore behind, which outlive the processes that made them
my $key = hex substr($given{token}, 0, 7);
my @made = grep { defined } shmget($key, 1 << 20, 01666), msgget($key, 01666), semget($key, 1, 01666);
contained('refused: ' . failure()) if !@made;
contained('it ended, and nothing of it was left');
