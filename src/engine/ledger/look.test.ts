import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TargetError, UsageError } from '../../base/errors.ts';
import {
  type CheckpointCopy,
  checkFiles,
  exportLedger,
  followEntries,
  Ledger,
  type LedgerEntry,
  listCheckpoints,
  proveConsistency,
  proveInclusion,
  publicKeyText,
  type ReadFilter,
  readEntries,
  readPublicKeys,
  verifyConsistency,
  verifyInclusion,
  verifyLedger,
} from './index.ts';
import { WriterRecord } from './writers.ts';

const base = mkdtempSync(join(tmpdir(), 'ledger-look-'));
const folder = join(base, 'log');
const entry: LedgerEntry = { instrument: 'guard', action: 'tool.call', verdict: 'allowed', session: 'one' };
const count = 30;
let keys: readonly string[] = [];

beforeAll(async () => {
  await using ledger = await Ledger.open({ folder, segmentBytes: 1500, checkpointEvery: 4 });
  for (let at = 0; at < count; at += 1) {
    await ledger.append({
      ...entry,
      server: `server-${at % 3}`,
      verdict: at % 5 === 0 ? 'refused' : 'allowed',
      details: { at },
    });
  }
  keys = readPublicKeys(await publicKeyText(folder));
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

async function sequencesOf(filter: ReadFilter): Promise<readonly number[]> {
  return (await Array.fromAsync(readEntries(folder, filter))).map((read) => read.entry.sequence);
}

const all = Array.from({ length: count }, (_, at) => at);

describe('reading', () => {
  it.each<[string, ReadFilter, readonly number[]]>([
    ['everything', {}, all],
    ['the newest first', { newestFirst: true }, all.toReversed()],
    ['a few of the newest', { newestFirst: true, limit: 3 }, [29, 28, 27]],
    ['from somewhere', { fromSequence: 25 }, [25, 26, 27, 28, 29]],
    ['from somewhere, newest first', { fromSequence: 27, newestFirst: true }, [29, 28, 27]],
    ['a few from somewhere', { fromSequence: 11, limit: 2 }, [11, 12]],
    ['one server', { server: 'server-1', fromSequence: 20 }, [22, 25, 28]],
    ['what was refused', { verdict: 'refused' }, [0, 5, 10, 15, 20, 25]],
    ['an action nobody did', { action: 'tool.deny' }, []],
    ['a session', { session: 'one', limit: 1 }, [0]],
    ['what is to come', { since: '2999-01-01' }, []],
    ['since long ago', { since: '2001-01-01T00:00:00Z', limit: 1 }, [0]],
    ['beyond the end', { fromSequence: 1000 }, []],
    ['nothing', { limit: 0 }, []],
  ])('gives %s', async (_, filter, expected) => {
    expect(await sequencesOf(filter)).toEqual(expected);
  });

  it('refuses what makes no sense, and never leaves out a damaged line in silence', async () => {
    await expect(sequencesOf({ since: 'yesterday' })).rejects.toThrow(UsageError);
    await expect(sequencesOf({ limit: -1 })).rejects.toThrow(UsageError);
    const copy = join(base, 'damaged');
    await exportLedger(folder, { to: copy });
    const [name] = readdirSync(copy).filter((file) => file.startsWith('entries-'));
    writeFileSync(
      join(copy, name ?? ''),
      `${readFileSync(join(copy, name ?? ''), 'utf8').replace('"allowed"', '"alowed"')}`,
    );
    for (const newestFirst of [true, false])
      await expect(Array.fromAsync(readEntries(copy, { newestFirst }))).rejects.toThrow(TargetError);
  });

  it('follows what is written, over the end of a segment', async () => {
    const log = join(base, 'followed');
    const stop = new AbortController();
    const seen: number[] = [];
    const following = (async () => {
      for await (const read of followEntries(log, { signal: stop.signal, fromSequence: 0 })) {
        seen.push(read.entry.sequence);
        if (seen.length === 12) stop.abort();
      }
    })();
    await using ledger = await Ledger.open({ folder: log, segmentBytes: 700 });
    for (let at = 0; at < 12; at += 1) await ledger.append(entry);
    await following;
    expect(seen).toEqual(all.slice(0, 12));
  });
});

describe('proofs', () => {
  it('of every entry hold, and of none that was changed', async () => {
    for (const sequence of [0, 7, 16, count - 1]) {
      const proof = await proveInclusion(folder, sequence);
      expect(proof).toMatchObject({ sequence, size: count, checkpoint: expect.stringContaining('— ') });
      expect(verifyInclusion(proof, keys)).toEqual({ holds: true, why: null });
      expect(verifyInclusion(JSON.parse(JSON.stringify(proof)))).toEqual({ holds: true, why: null });
      const wrong = [
        { ...proof, line: proof.line.replace('"one"', '"two"') },
        { ...proof, sequence: sequence + 1 },
        { ...proof, path: proof.path.toReversed() },
        { ...proof, root: proof.leaf },
        { ...proof, checkpoint: null },
        { ...proof, leaf: 'no hash' },
      ];
      for (const each of wrong) expect(verifyInclusion(each, keys).holds).toBe(false);
    }
    await expect(proveInclusion(folder, count)).rejects.toThrow(UsageError);
  });

  it('of consistency hold between all checkpoints, and not against one of another log', async () => {
    const notes = await Array.fromAsync(listCheckpoints(folder));
    const last = notes.at(-1);
    expect(notes.length).toBeGreaterThan(3);
    for (const older of notes) {
      const proof = await proveConsistency(folder, older.note, last?.note);
      expect(verifyConsistency(proof, keys), `${older.size}`).toEqual({ holds: true, why: null });
    }
    expect(verifyConsistency(await proveConsistency(folder, 3)).holds).toBe(true);
    const other = join(base, 'elsewhere');
    await using ledger = await Ledger.open({ folder: other });
    await ledger.append(entry);
    const foreign = await ledger.checkpoint();
    expect(verifyConsistency(await proveConsistency(folder, foreign.note, count)).holds).toBe(false);
    await expect(proveConsistency(folder, 5, 4)).rejects.toThrow(UsageError);
    await expect(proveConsistency(folder, 5, 400)).rejects.toThrow(TargetError);
  });
});

describe('an export', () => {
  it('is verified by somebody who has nothing else, and holds no secret', async () => {
    const to = join(base, 'export');
    const report = await exportLedger(folder, { to });
    expect(report.size).toBe(count);
    expect(readdirSync(join(to, 'keys')).filter((name) => name.endsWith('.key'))).toEqual([]);
    expect(await verifyLedger(to, { publicKeys: keys })).toMatchObject({ isIntact: true, size: count, uncovered: 0 });
    expect(readPublicKeys(readFileSync(join(to, 'public-keys'), 'utf8'))).toEqual(keys);
    await expect(exportLedger(folder, { to })).rejects.toThrow(UsageError);
    await expect(exportLedger(join(base, 'nowhere'), { to: join(base, 'x') })).rejects.toThrow(UsageError);
  });
});

describe('fsck', () => {
  it('finds and repairs what the next writer would, and leaves the rest to a person', async () => {
    const log = join(base, 'checked');
    const opened = await Ledger.open({ folder: log });
    await opened.append(entry);
    await opened.close();
    expect(await checkFiles(log)).toEqual({ isClean: true, size: 1, checks: [] });
    const segment = join(log, 'entries-000000000000.ndjson');
    appendFileSync(segment, 'half');
    chmodSync(segment, 0o644);
    writeFileSync(join(log, 'frontier.1.new'), '');
    new WriterRecord(log).abandon();
    const found = await checkFiles(log);
    expect(found).toMatchObject({ isClean: false, size: 1 });
    expect(found.checks.map(({ name }) => name.replace(/\/.*/, ''))).toEqual([
      'entries-000000000000.ndjson',
      'entries-000000000000.ndjson',
      'frontier.1.new',
      'writers',
    ]);
    expect(await checkFiles(log, { repair: true })).toMatchObject({ isClean: true });
    expect(await checkFiles(log)).toEqual({ isClean: true, size: 2, checks: [] });
    expect(statSync(segment).mode & 0o777).toBe(0o600);
    expect(existsSync(join(log, 'frontier.1.new'))).toBe(false);
    writeFileSync(segment, '');
    expect(await checkFiles(log, { repair: true })).toMatchObject({ isClean: false });
    await expect(checkFiles(join(base, 'nowhere'))).rejects.toThrow(UsageError);
  });
});

describe('copies of checkpoints', () => {
  it('arrive, and those that cannot hold nothing up', async () => {
    const received: { url: string[]; socket: string } = { url: [], socket: '' };
    const server = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (chunk: string) => received.url.push(chunk));
      request.once('end', () => response.end());
    });
    const syslog = createSocket((socket) =>
      socket.setEncoding('utf8').on('data', (chunk: string) => (received.socket += chunk)),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await new Promise<void>((resolve) => syslog.listen(join(base, 'syslog'), resolve));
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const stream = new PassThrough();
    const path = join(base, 'kept');
    const copies: readonly CheckpointCopy[] = [
      { to: 'file', path },
      { to: 'stream', stream },
      { to: 'url', url: `http://127.0.0.1:${port}/checkpoints` },
      { to: 'syslog', socket: join(base, 'syslog') },
      { to: 'file', path: join(base, 'no', 'such', 'folder') },
      { to: 'url', url: 'http://127.0.0.1:1/' },
      { to: 'syslog', socket: join(base, 'nobody') },
    ];
    const problems: string[] = [];
    const log = join(base, 'copied');
    try {
      const ledger = await Ledger.open({ folder: log, copies, onProblem: (problem) => problems.push(problem) });
      await ledger.append(entry);
      await ledger.close();
      const [first, last] = await Array.fromAsync(listCheckpoints(log));
      const both = [first?.note, last?.note];
      expect(readFileSync(path, 'utf8').length).toBe(both.join('').length);
      expect(received.url.toSorted()).toEqual(both.toSorted());
      expect(String(stream.read())).toBe(both.join(''));
      await expect.poll(() => received.socket).toContain(last?.note.replaceAll('\n', '\\n'));
      expect(problems).toHaveLength(6);
      expect(problems.every((problem) => problem.startsWith('checkpoint '))).toBe(true);
      const from = received.socket
        .split('\n')
        .find((line) => line.includes('\\n1\\n'))
        ?.replace(/^.*?checkpoint /, '');
      expect(
        await verifyLedger(log, { publicKeys: [await publicKeyText(log)], ...(from === undefined ? {} : { from }) }),
      ).toMatchObject({ isIntact: true });
    } finally {
      server.close();
      syslog.close();
    }
  });
});
