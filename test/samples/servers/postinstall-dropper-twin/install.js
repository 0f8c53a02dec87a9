// HONEST TWIN of postinstall-dropper, for boxes only: has an install script that looks at the version of node.
const major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
  process.stderr.write('greeter needs node 20 or later\n');
  process.exitCode = 1;
}
