# raises an ambient capability
must_fail('prctl', 47, 2, 21, 0, 0);
