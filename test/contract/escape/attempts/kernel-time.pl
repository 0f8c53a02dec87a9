# sets the clock (to nothing)
must_be_refused('settimeofday', 0, 0);
