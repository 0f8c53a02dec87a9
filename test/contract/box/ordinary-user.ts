import type { BackendId } from '../../../src/engine/box/index.ts';
import { createBox } from '../../../src/engine/box/index.ts';
import { run, withLimits } from './arena.ts';

/** Run as an ordinary user by ordinary-user.test.ts: makes boxes and prints what they did, as JSON. */
const [backend = '', runtimeFolder = ''] = process.argv.slice(2);
const mebibyte = 1024 * 1024;

const attempts: Readonly<
  Record<string, { readonly argv: readonly string[]; readonly limits?: Parameters<typeof withLimits>[0] }>
> = {
  node: { argv: ['/usr/bin/env', 'node', '-e', 'console.log(typeof require("node:os").userInfo().username)'] },
  shadow: { argv: ['/bin/sh', '-c', 'cat /etc/shadow /root/.bashrc; echo > /tmp/hotcell-outside; ls /home; true'] },
  memory: {
    argv: [
      '/usr/bin/perl',
      '-e',
      'my @x; for (1 .. 200) { push @x, "a" x (8 * 1024 * 1024); select undef, undef, undef, 0.02 } print "all"',
    ],
    limits: { memoryBytes: 96 * mebibyte },
  },
  processes: {
    argv: [
      '/usr/bin/perl',
      '-e',
      'for (1 .. 40) { my $p = fork; last unless defined $p; if (!$p) { sleep 20; exit } } sleep 20; print "all"',
    ],
    limits: { processes: 12 },
  },
  disk: {
    argv: [
      '/bin/sh',
      '-c',
      'for i in 1 2 3 4 5 6; do head -c 4194304 /dev/zero > "$TMPDIR/$i"; sleep 0.5; done; sleep 20; echo all',
    ],
    limits: { diskBytes: 8 * mebibyte },
  },
};

const results: Record<string, unknown> = {};
for (const [name, { argv, limits }] of Object.entries(attempts)) {
  const box = await createBox(withLimits(limits ?? {}), { backend: backend as BackendId, runtimeFolder });
  const { status, stdout } = await run(box, argv);
  results[name] = {
    code: status.code,
    stdout,
    hits: status.limitsHit.map(({ limit }) => limit),
    uid: process.getuid?.(),
  };
  await box.close();
}
console.log(JSON.stringify(results));
