# removes and truncates world-writable files of the host
unlink("$given{openFolder}/remove-me") and escaped('removed a file');
my $first = failure();
truncate($given{openFile}, 0) and escaped('truncated a file');
contained("unlink: $first, truncate: " . failure());
