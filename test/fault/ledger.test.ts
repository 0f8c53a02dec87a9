import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  checkFiles,
  Ledger,
  publicKeyText,
  readEntries,
  readPublicKeys,
  verifyLedger,
} from '../../src/engine/ledger/index.ts';

/**
 * The disk fails, or the writer is killed, at every single write and fsync of the ledger's files. Whatever was acknowledged
 * is there afterwards; whatever is there and was not acknowledged is known not to have been.
 */

const program = fileURLToPath(new URL('./ledger-writer.ts', import.meta.url));
const entries = 6;
/** More than the writer makes; the loop ends at the first run that nothing was done to. */
const mostCalls = 80;

const writes = ['write', 'pwrite64', 'writev', 'pwritev'];
const syncs = ['fsync', 'fdatasync'];
/** `quickSyncMs`: on a thread of its own, or on the writer's; calls are counted per thread. */
const faults = [
  { what: 'a write that fails', calls: writes, inject: 'error=EIO', quickSyncMs: 0 },
  { what: 'a write to a full disk', calls: writes, inject: 'error=ENOSPC', quickSyncMs: 0 },
  { what: 'a kill at a write', calls: writes, inject: 'signal=SIGKILL', quickSyncMs: 0 },
  { what: 'an fsync that fails', calls: syncs, inject: 'error=EIO', quickSyncMs: 0 },
  { what: 'a kill at an fsync', calls: syncs, inject: 'signal=SIGKILL', quickSyncMs: 0 },
  { what: 'a waiting fsync that fails', calls: syncs, inject: 'error=EIO', quickSyncMs: Number.POSITIVE_INFINITY },
  { what: 'a kill at a waiting fsync', calls: syncs, inject: 'signal=SIGKILL', quickSyncMs: Number.POSITIVE_INFINITY },
];

interface Told {
  readonly acknowledged: ReadonlyMap<number, { readonly sequence: number; readonly leaf: string }>;
  readonly isUndisturbed: boolean;
}

/** One run of the writer, with one call tampered with. */
function writeUnder(folder: string, session: string, fault: (typeof faults)[number], when: number): Told {
  const names = fault.calls.join(',');
  const trace = join(folder, '..', 'trace');
  // Only calls on descriptors of regular files below the folder: those on pipes are how the writer tells us.
  const argv = [
    '-f',
    '-y',
    '-qq',
    '-o',
    trace,
    '-e',
    `trace=${names}`,
    '-e',
    `inject=${names}:${fault.inject}:when=${when}`,
  ];
  const paths = watched(folder).flatMap((path) => ['-P', path]);
  const ran = spawnSync(
    'strace',
    [...argv, ...paths, process.execPath, program, folder, session, String(entries), String(fault.quickSyncMs)],
    {
      encoding: 'utf8',
      timeout: 120_000,
      // One thread for files, since calls are counted per thread.
      env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
    },
  );
  const acknowledged = new Map(
    [...ran.stdout.matchAll(/^acknowledged (\d+) (\d+) ([0-9a-f]{64})$/gm)].map((match) => [
      Number(match[1]),
      { sequence: Number(match[2]), leaf: match[3] ?? '' },
    ]),
  );
  return { acknowledged, isUndisturbed: /^closed$/m.test(ran.stdout) && acknowledged.size === entries };
}

/** Files that there will be: strace asks for them by name. */
function watched(folder: string): readonly string[] {
  const starts = Array.from({ length: 40 }, (_, number) => `entries-${String(number).padStart(12, '0')}.ndjson`);
  return ['checkpoints', ...starts].map((name) => join(folder, name));
}

async function afterwards(folder: string, session: string, { acknowledged }: Told): Promise<readonly string[]> {
  const wrong: string[] = [];
  await checkFiles(folder, { repair: true });
  const next = await Ledger.open({ folder, onProblem: () => undefined });
  const own = await next.append({ instrument: 'guard', action: 'server.start', verdict: 'noted', session: 'after' });
  await next.close();
  const report = await verifyLedger(folder, { publicKeys: readPublicKeys(await publicKeyText(folder)) });
  if (!report.isIntact) wrong.push(`not intact: ${JSON.stringify(report.first)}`);
  if (!(await checkFiles(folder, { repair: false })).isClean) wrong.push('files are not whole after the repair');
  const found = new Map<number, { readonly sequence: number; readonly leaf: string }>();
  for await (const { entry, leaf } of readEntries(folder, { session })) {
    found.set(Number(entry.details?.number), { sequence: entry.sequence, leaf });
  }
  for (const [number, was] of acknowledged) {
    const is = found.get(number);
    if (is?.sequence !== was.sequence || is.leaf !== was.leaf) wrong.push(`acknowledged ${number} is lost`);
  }
  for (const [number, { sequence }] of found) {
    const isDoubted = report.unacknowledged.some(({ from, to }) => from <= sequence && sequence <= to);
    if (!acknowledged.has(number) && !isDoubted) wrong.push(`${number} is believed and was never acknowledged`);
  }
  if (own.sequence < found.size) wrong.push('an entry was written over');
  return wrong;
}

describe.skipIf(!existsSync('/usr/bin/strace'))('a ledger whose disk fails', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hotcell-ledger-fault-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(faults)(
    'survives $what, whichever it is',
    async (fault) => {
      let disturbed = 0;
      for (let when = 1; when <= mostCalls; when += 1) {
        const place = join(folder, `${fault.what.replaceAll(' ', '-')}-${when}`, 'ledger');
        await rm(join(place, '..'), { recursive: true, force: true });
        // The keys are made in peace: without them there is no ledger to lose.
        await (await Ledger.open({ folder: place, onProblem: () => undefined })).close();
        const told = writeUnder(place, 'session', fault, when);
        expect(await afterwards(place, 'session', told), `call ${when}`).toEqual([]);
        await rm(join(place, '..'), { recursive: true, force: true });
        if (told.isUndisturbed) break;
        disturbed += 1;
      }
      // Each entry is written and synced, and so is each checkpoint.
      expect(disturbed).toBeGreaterThan(entries);
      expect(disturbed).toBeLessThan(mostCalls);
    },
    240_000,
  );
});
