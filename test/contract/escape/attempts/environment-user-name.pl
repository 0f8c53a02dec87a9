# asks for the name and the home of the user who runs hotcell
my @words = ((getpwuid($<))[0] // '', @ENV{qw(USER LOGNAME HOME SUDO_USER SUDO_UID MAIL)});
escaped('words ' . join ' ', map { unpack 'H*', $_ } grep { defined } @words);
