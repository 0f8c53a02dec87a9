# reads the files of another box
try_read("$given{neighbourTmp}/neighbour-secret");
