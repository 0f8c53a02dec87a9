# adds a key to a key ring
must_be_refused('add_key', 'user', 'hotcell', 'x', 1, -2);
