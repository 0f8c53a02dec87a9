# makes one huge empty file and has the host look at it
local $SIG{XFSZ} = 'IGNORE';
open(my $file, '>', "$given{tmp}/sparse") or contained('create: ' . failure());
my $done = truncate($file, 1 << 40);
my $error = $done ? '' : failure();
truncate($file, $given{file} - 1) if !$done;
let_host_act();
escaped('a file of 1 TiB') if $done;
contained("truncate: $error");
