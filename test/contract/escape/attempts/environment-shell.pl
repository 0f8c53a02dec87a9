# looks for the caller's BASH_ENV and ENV, and starts a shell that would read them
escaped("$_=$ENV{$_}") for grep { exists $ENV{$_} } qw(BASH_ENV ENV PROMPT_COMMAND);
my $text = `/bin/sh -c 'echo marker' 2>&1` // '';
chomp $text;
contained("not set, and a shell says $text");
