# makes folders and files that nobody may open, and has the host list and remove them
chdir $given{tmp} or contained('chdir: ' . failure());
mkdir 'closed', 0700;
mkdir "closed/inner", 0700;
open(my $file, '>', 'closed/inner/file') or contained('create: ' . failure());
close $file;
chmod 0, 'closed/inner/file', 'closed/inner', 'closed';
let_host_act();
contained('the host coped');
