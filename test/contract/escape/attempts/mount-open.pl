# makes a file system with fsopen
must_be_refused('fsopen', 'tmpfs', 0);
