# opens the root of the host's file system by its handle
my @errors;
for my $base ('/', '/usr', '/etc', '/proc', $given{tmp}, $given{work}) {
  sysopen(my $mount, $base, O_RDONLY | O_DIRECTORY) or next;
  for my $inode (2, 64, 128, 256) {
    my $handle = pack('LlLL', 8, 1, $inode, 0);
    my ($file, $error) = call('open_by_handle_at', fileno($mount), $handle, O_RDONLY);
    escaped("opened inode $inode from $base") if $file != -1;
    push @errors, $error;
  }
}
my %seen; contained(join ' ', grep { !$seen{$_}++ } @errors);
