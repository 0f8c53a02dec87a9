# switches off the mark that keeps programs from gaining privileges
my ($done, $error) = call('prctl', 38, 0, 0, 0, 0);
escaped('switched it off') if $done != -1;
my ($mark) = call('prctl', 39, 0, 0, 0, 0);
escaped("the mark is $mark") if $mark != 1;
contained("prctl: $error, and the mark is on");
