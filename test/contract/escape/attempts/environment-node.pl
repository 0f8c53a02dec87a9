# looks for the caller's NODE_OPTIONS
escaped("$_=$ENV{$_}") for grep { exists $ENV{$_} } qw(NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS);
contained('not set');
