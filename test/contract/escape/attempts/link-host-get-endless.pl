# plants a fifo and a link to /dev/zero and has the host fetch them
POSIX::mkfifo("$given{tmp}/fifo", 0666);
symlink('/dev/zero', "$given{tmp}/zero");
let_host_act();
contained('the host came back');
