# makes a setuid program of root
my $path = "$given{tmp}/program";
open(my $file, '>', $path) or contained('create: ' . failure());
close $file;
chown(0, 0, $path) or contained('chown: ' . failure());
chmod 04755, $path;
my @fact = stat $path;
escaped('made a setuid program of root') if $fact[4] == 0 && $fact[2] & 04000;
contained('the mark was dropped');
