# looks for the caller's LD_PRELOAD and LD_LIBRARY_PATH
escaped("$_=$ENV{$_}") for grep { exists $ENV{$_} } qw(LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT);
contained('not set');
