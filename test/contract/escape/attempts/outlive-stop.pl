# stops itself, so that it never ends
kill 'STOP', $$;
select(undef, undef, undef, 5);
escaped('was let go on');
