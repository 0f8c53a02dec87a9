# looks for files and sockets that it inherited
opendir(my $folder, '/proc/self/fd') or contained('list: ' . failure());
my $own = readlink('/proc/self/fd') // '';
my @left;
for my $number (grep { /^\d+$/ && $_ > 2 } readdir $folder) {
  my $to = readlink("/proc/self/fd/$number") // next;
  next if $to =~ m{^/proc/\d+/fd$} || $to eq $0 || $to eq $own;
  push @left, "$number is $to";
}
escaped(join ', ', @left) if @left;
contained('nothing but 0, 1 and 2');
