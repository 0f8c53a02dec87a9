import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolEnvironment } from '../../../src/base/process.ts';
import { type Attempt, programOf } from './attempt.ts';
import { attempts } from './attempts.ts';
import { otherUser } from './host/files.ts';
import { type Scene, setScene } from './host/scene.ts';
import { openWitness, type Witness } from './host/witness.ts';

/**
 * An attempt that never succeeds proves nothing. These run outside of any box, as a user without rights, against bait
 * that the test itself planted: each must report that it got out, and the host must see the ones that touch something.
 * Only attempts that read, write, connect to or signal bait are in this list, ever.
 */
interface Row {
  readonly id: string;
  /** What the host sees of it. */
  readonly sees?: RegExp;
  /** The user who owns the bait, for what only the owner may do. */
  readonly asOwner?: true;
  /** Bait variables are in its environment. */
  readonly isSpoiled?: true;
}

const rows: readonly Row[] = [
  { id: 'read-bait-secret' },
  { id: 'read-other-tmp' },
  { id: 'read-host-processes' },
  { id: 'link-symlink-read' },
  { id: 'link-path-handle' },
  { id: 'link-path-folder' },
  { id: 'link-openat2' },
  { id: 'link-dotdot' },
  { id: 'link-proc-root' },
  { id: 'link-proc-cwd' },
  { id: 'write-bait-file', sees: /open-file was changed/ },
  { id: 'write-bait-folder', sees: /planted-.* was made/ },
  { id: 'write-bait-removal', sees: /remove-me was changed or removed/ },
  { id: 'write-bait-times' },
  { id: 'link-symlink-write', sees: /open-file was changed/ },
  { id: 'socket-pathname', sees: /unix socket/ },
  { id: 'socket-datagram', sees: /datagram of the host/ },
  { id: 'socket-symlink', sees: /unix socket/ },
  { id: 'socket-abstract', sees: /abstract socket/ },
  { id: 'socket-docker', sees: /docker socket/ },
  { id: 'ipc-shared-memory' },
  { id: 'ipc-message-queue' },
  { id: 'ipc-semaphore' },
  { id: 'ipc-posix-queue' },
  { id: 'ipc-posix-memory' },
  { id: 'terminal-other', sees: /terminal of the host/ },
  { id: 'process-kill-other', sees: /felt signal URG/, asOwner: true },
  { id: 'network-tcp-loopback', sees: /TCP port/ },
  { id: 'network-tcp-any', sees: /TCP port/ },
  { id: 'network-tcp6-mapped', sees: /TCP port/ },
  { id: 'network-udp-loopback', sees: /UDP port/ },
  { id: 'network-socket-table' },
  { id: 'environment-preload', isSpoiled: true },
  { id: 'environment-node', isSpoiled: true },
  { id: 'environment-shell', isSpoiled: true },
  { id: 'environment-python', isSpoiled: true },
  { id: 'environment-secret', isSpoiled: true },
  // Last: it closes the file that others write to.
  { id: 'write-bait-attributes', sees: /open-file was changed/, asOwner: true },
];

/** Loading nothing that is not there would keep the program itself from starting. */
const spoiled = {
  LD_LIBRARY_PATH: '/nonexistent-marker',
  NODE_OPTIONS: '--marker',
  PYTHONSTARTUP: '/nonexistent-marker.py',
  BASH_ENV: '/nonexistent-marker.sh',
  SECRET_TOKEN: 'marker',
} as const;

const stranger = otherUser + 1;

interface Result {
  readonly answer: string;
  readonly outside: readonly string[];
}

async function runOutside(attempt: Attempt, row: Row, scene: Scene, witness: Witness): Promise<Result> {
  const user = row.asOwner ? otherUser : stranger;
  const token = randomBytes(8).toString('hex');
  const folder = mkdtempSync('/tmp/hotcell-control-');
  try {
    const program = join(folder, 'attempt.pl');
    writeFileSync(program, programOf(attempt.file));
    chownSync(folder, user, user);
    chmodSync(folder, 0o700);
    const parameters = { ...scene.parameters, token, tmp: join(folder, 'tmp'), work: folder };
    const child = spawn(
      '/usr/bin/perl',
      [program, ...Object.entries(parameters).map(([key, value]) => `${key}=${value}`)],
      {
        uid: user,
        gid: user,
        cwd: folder,
        env: { ...toolEnvironment, ...(row.isSpoiled ? spoiled : {}) },
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: 120_000,
      },
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output = `${output}${chunk.toString('latin1')}`.slice(-20_000);
      });
    }
    await new Promise((resolve) => child.once('close', resolve));
    return { answer: output.trim().split('\n').at(-1) ?? '', outside: await witness.look({ token, boxId: null }) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe.skipIf(process.getuid?.() !== 0)('without a box (needs root, to plant bait of other users)', () => {
  let scene: Scene;
  let witness: Witness;

  beforeAll(async () => {
    scene = await setScene();
    witness = openWitness(scene);
  });

  afterAll(async () => {
    witness?.close();
    await scene?.close();
  });

  it.each(rows)('$id gets out', async (row) => {
    const attempt = attempts.find(({ id }) => id === row.id);
    if (attempt === undefined) throw new Error(`there is no attempt ${row.id}`);
    const { answer, outside } = await runOutside(attempt, row, scene, witness);
    expect(answer).toMatch(/^escaped: /);
    expect(outside.join('; ')).toMatch(row.sees ?? /^$/);
  });
});
