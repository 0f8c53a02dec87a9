# starts a program that has capabilities in its file
my $text = `$given{capableProgram} /proc/self/status 2>&1` // contained('exec: ' . failure());
escaped("capabilities $1") if $text =~ /^CapEff:\s*(?!0+$)([0-9a-f]+)$/m;
contained('exec: ' . (split /\n/, $text || 'nothing')[0]);
