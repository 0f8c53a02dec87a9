# changes mode and owner of a world-writable file of the host
chmod(0600, $given{openFile}) and escaped('changed the mode');
my $first = failure();
chown($<, -1, $given{openFile}) and escaped('changed the owner');
contained("chmod: $first, chown: " . failure());
