# starts a setuid program that another user left in /tmp
my $text = `$given{setuidProgram} -u 2>&1` // contained('exec: ' . failure());
escaped('runs as root') if $text =~ /^0$/m;
contained('exec: ' . (split /\n/, $text || 'nothing')[0]);
