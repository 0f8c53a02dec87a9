# watches every file access with fanotify
must_be_refused('fanotify_init', 4, 0);
