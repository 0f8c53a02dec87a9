# looks for the caller's PYTHONSTARTUP and PYTHONPATH
escaped("$_=$ENV{$_}") for grep { exists $ENV{$_} } qw(PYTHONSTARTUP PYTHONPATH PYTHONHOME);
contained('not set');
