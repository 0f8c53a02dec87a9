# takes hold of the root mount with fspick
must_be_refused('fspick', -100, '/', 0);
