# looks for capabilities that it holds already
# A kernel that does not know ambient capabilities does not list them.
my %mask = map { $_ => status_of($_) } qw(CapInh CapPrm CapEff CapAmb);
my @held = grep { ($mask{$_} // ($_ eq 'CapAmb' ? '0' : 'unknown')) !~ /^0+$/ } sort keys %mask;
escaped(join ', ', map { "$_ " . ($mask{$_} // 'unknown') } @held) if @held;
contained('it holds none');
