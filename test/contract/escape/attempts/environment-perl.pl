# looks for the caller's PERL5OPT and PERL5LIB
escaped("$_=$ENV{$_}") for grep { exists $ENV{$_} } qw(PERL5OPT PERL5LIB);
contained('not set');
