# makes files whose names hold new lines, escapes and broken text, and has the host list them
chdir $given{tmp} or contained('chdir: ' . failure());
my $made = 0;
for my $name ("line\nbreak", "\e[31mred", "broken\xff\xfe", 'a' x 255, ' ', "-rf", '..hidden', "tab\there", "\x7f", "bidi\xe2\x80\xae", '$(id)', '`id`', "quote'\"") {
  open(my $file, '>', "./$name") and $made++;
}
let_host_act();
contained("the host coped with $made names");
