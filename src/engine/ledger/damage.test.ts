import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildBatch } from './batch.ts';
import { prepareLine } from './entry.ts';
import { Ledger, type LedgerEntry, publicKeyText, type VerifyReport, verifyLedger } from './index.ts';
import { hashLeaf, noLeaf } from './tree.ts';

/** Everything that can be done to a log by somebody who has no key: it is always found, and the first bad entry is named. */

const base = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'ledger-damage-'));
const folder = join(base, 'log');
const entriesPath = join(folder, 'entries-000000000000.ndjson');
const checkpointsPath = join(folder, 'checkpoints');
const entry: LedgerEntry = {
  instrument: 'guard',
  action: 'tool.call',
  verdict: 'allowed',
  session: 'one',
  server: 'npm:é',
};
const count = 4;
/** Entries that the checkpoint in the middle vouches for. */
const middle = 2;
let keys: readonly string[] = [];
let lines: readonly string[] = [];
let checkpoints = '';

async function fill(into: string, session: string, entries: number): Promise<void> {
  const ledger = await Ledger.open({ folder: into });
  for (let at = 0; at < entries; at += 1) {
    await ledger.append({ ...entry, session, details: { at } });
    if (at === middle - 1) await ledger.checkpoint();
  }
  await ledger.close();
}

beforeAll(async () => {
  await fill(folder, 'one', count);
  keys = [await publicKeyText(folder)];
  lines = readFileSync(entriesPath, 'utf8').split(/(?<=\n)/);
  checkpoints = readFileSync(checkpointsPath, 'utf8');
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

/** What is found in the log when its files are these; they are put back afterwards. */
async function found(
  changed: { entries?: string | Buffer; checkpoints?: string | Buffer },
  from?: string,
): Promise<VerifyReport> {
  if (changed.entries !== undefined) writeFileSync(entriesPath, changed.entries);
  if (changed.checkpoints !== undefined) writeFileSync(checkpointsPath, changed.checkpoints);
  try {
    return await verifyLedger(folder, { publicKeys: keys, ...(from === undefined ? {} : { from }) });
  } finally {
    if (changed.entries !== undefined) writeFileSync(entriesPath, lines.join(''));
    if (changed.checkpoints !== undefined) writeFileSync(checkpointsPath, checkpoints);
  }
}

function startOf(index: number): number {
  return Buffer.byteLength(lines.slice(0, index).join(''));
}

function expectFirst(report: VerifyReport, sequence: number, what: string): void {
  expect(report.isIntact, what).toBe(false);
  expect(report.first, what).toMatchObject({ sequence, upTo: null });
}

describe('an untouched log', () => {
  it('is intact', async () => {
    expect(await found({})).toMatchObject({
      isIntact: true,
      size: count,
      uncovered: 0,
      checkpoints: 3,
      first: null,
      problems: [],
      torn: [],
    });
  });
});

describe('entries', () => {
  it('with any byte flipped are found, each by its number and its place', async () => {
    const bytes = Buffer.from(lines.join(''));
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ (at % 3 === 0 ? 0x20 : 1);
      const sequence = lines.findIndex((_, index) => at < startOf(index + 1));
      const report = await found({ entries: changed });
      expectFirst(report, sequence, `byte ${at}`);
      expect(report.first).toMatchObject({ file: 'entries-000000000000.ndjson', offset: startOf(sequence) });
    }
  });

  it('cut off at any byte are found', async () => {
    const bytes = Buffer.from(lines.join(''));
    for (let at = 0; at < bytes.length; at += 1) {
      const sequence = lines.findIndex((_, index) => at < startOf(index + 1));
      // Every byte of the last line; of the others, all around their ends and some in between.
      const isNearEnd = at - startOf(sequence) < 3 || startOf(sequence + 1) - at < 3;
      if (sequence < count - 1 && !isNearEnd && at % 11 !== 0) continue;
      expectFirst(await found({ entries: bytes.subarray(0, at) }), sequence, `cut at ${at}`);
    }
  });

  it('that are deleted, doubled, swapped or put in are found', async () => {
    const forged = (index: number): string => (lines[index] ?? '').replace('"allowed"', '"refused"');
    for (let at = 0; at < count; at += 1) {
      expectFirst(await found({ entries: lines.toSpliced(at, 1).join('') }), at, `deleted ${at}`);
      expectFirst(await found({ entries: lines.toSpliced(at, 0, lines[at] ?? '').join('') }), at + 1, `doubled ${at}`);
      expectFirst(await found({ entries: lines.toSpliced(at, 1, forged(at)).join('') }), at, `forged ${at}`);
      for (let other = at + 1; other < count; other += 1) {
        const swapped = lines.with(at, lines[other] ?? '').with(other, lines[at] ?? '');
        expectFirst(await found({ entries: swapped.join('') }), at, `swapped ${at} and ${other}`);
        expectFirst(
          await found({ entries: lines.toSpliced(at, 0, lines[other] ?? '').join('') }),
          at,
          `put ${other} in at ${at}`,
        );
      }
      const { first } = await found({ entries: lines.toSpliced(at, 0, forged(at)).join('') });
      expect([at, at + 1], `a forged entry at ${at}`).toContain(first?.sequence);
    }
  });

  it('that are not in canonical form are found, even where the words are the same', async () => {
    for (let at = 0; at < count; at += 1) {
      expectFirst(
        await found({ entries: lines.with(at, (lines[at] ?? '').replace('"details":{', '"details": {')).join('') }),
        at,
        'blank',
      );
      expectFirst(
        await found({ entries: lines.with(at, (lines[at] ?? '').replace('é', '\\u00e9')).join('') }),
        at,
        'escaped',
      );
      expectFirst(
        await found({ entries: lines.with(at, `${(lines[at] ?? '').slice(0, -1)}\r\n`).join('') }),
        at,
        'end of line',
      );
    }
  });

  it('at the end are named exactly only with the kept tree; without it as one of those since the last good checkpoint', async () => {
    const changed = { entries: lines.with(-1, (lines.at(-1) ?? '').replace('"allowed"', '"refused"')).join('') };
    const hint = join(folder, 'frontier');
    renameSync(hint, `${hint}.away`);
    const report = await found(changed);
    renameSync(`${hint}.away`, hint);
    expect(report.first).toMatchObject({ kind: 'root', sequence: middle, upTo: count - 1 });
    expectFirst(await found(changed), count - 1, 'with the kept tree');
  });

  it('of another log are found where they begin', async () => {
    const other = join(base, 'other');
    await fill(other, 'two', count);
    const theirs = readFileSync(join(other, 'entries-000000000000.ndjson'), 'utf8').split(/(?<=\n)/);
    for (let at = 0; at < count; at += 1) {
      const { first } = await found({ entries: [...lines.slice(0, at), ...theirs.slice(at)].join('') });
      expect(first?.sequence, `spliced at ${at}`).toBeLessThanOrEqual(at);
      expect(first?.upTo ?? first?.sequence, `spliced at ${at}`).toBeGreaterThanOrEqual(at);
      // What a checkpoint vouches for is not suspected.
      if (at >= middle) expect(first?.sequence).toBeGreaterThanOrEqual(middle);
    }
    const whole = await found({ entries: theirs.join(''), checkpoints: readFileSync(join(other, 'checkpoints')) });
    expect(whole.isIntact).toBe(false);
    expect(whole.problems[0]).toMatchObject({ kind: 'key', file: 'checkpoints', offset: 0 });
  });

  it('that were written anew from somewhere on are found by the checkpoints', async () => {
    // Somebody with the program and without the key: same origin, same entries but one, a chain that holds.
    for (let from = 0; from < count; from += 1) {
      const kept = lines.slice(0, from).map((line) => line.slice(0, -1));
      const last = kept.at(-1);
      const forged = lines.slice(from).map(() => prepareLine({ ...entry, verdict: 'refused' }));
      const { bytes } = buildBatch(forged, last === undefined ? noLeaf : hashLeaf(last), from);
      const { first } = await found({ entries: lines.slice(0, from).join('') + bytes.toString('utf8') });
      expect(first?.sequence, `from ${from}`).toBeLessThanOrEqual(from);
      expect(first?.upTo ?? first?.sequence, `from ${from}`).toBeGreaterThanOrEqual(from);
      // What a checkpoint vouches for is not suspected.
      if (from >= middle) expect(first?.sequence).toBeGreaterThanOrEqual(middle);
      expect(first?.kind).toMatch(/root|chain/);
    }
  });
});

describe('checkpoints', () => {
  it('with any byte flipped are found, each by its place', async () => {
    const bytes = Buffer.from(checkpoints);
    const [first = ''] = checkpoints.split(/(?<==\n)(?=hotcell)/);
    const secondAt = Buffer.byteLength(first);
    for (let at = 0; at < bytes.length; at += 1) {
      // Every byte of the note in the middle; the others look the same.
      const isInSecond = at >= secondAt && at < 2 * secondAt;
      if (!isInSecond && at % 4 !== 0) continue;
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ (at % 3 === 0 ? 0x20 : 1);
      const { isIntact, problems } = await found({ checkpoints: changed });
      expect(isIntact, `byte ${at}`).toBe(false);
      expect(problems[0]).toMatchObject({ file: 'checkpoints' });
      expect(problems[0]?.offset ?? Number.NaN, `byte ${at}`).toBeLessThanOrEqual(at);
    }
  });

  it('that are gone, wholly or in part, leave entries uncovered or are missed', async () => {
    const notes = checkpoints.split(/(?<==\n)(?=hotcell)/);
    expect(notes).toHaveLength(3);
    expect(await found({ checkpoints: '' })).toMatchObject({ isIntact: false, uncovered: count });
    expect(await found({ checkpoints: notes.slice(0, 2).join('') })).toMatchObject({
      isIntact: true,
      uncovered: count - middle,
    });
    expect((await found({ checkpoints: [notes[1], notes[0], notes[2]].join('') })).problems[0]).toMatchObject({
      kind: 'note',
    });
  });

  it('that somebody kept show a log that was rolled back', async () => {
    const notes = checkpoints.split(/(?<==\n)(?=hotcell)/);
    const kept = notes[2];
    const old = { entries: lines.slice(0, middle).join(''), checkpoints: notes.slice(0, 2).join('') };
    expect(await found(old)).toMatchObject({ isIntact: true, size: middle });
    const report = await found(old, kept);
    expect(report).toMatchObject({ isIntact: false, first: { kind: 'rollback', sequence: middle } });
    expect(await found({}, notes[1])).toMatchObject({ isIntact: true });
    expect(await found({}, kept?.replaceAll('\n', '\\n'))).toMatchObject({ isIntact: true });
    expect(await found({}, 'nothing of the kind')).toMatchObject({ isIntact: false, first: { kind: 'note' } });
  });
});

describe('segments', () => {
  it('that are missing, empty or cut are found', async () => {
    const long = join(base, 'long');
    const ledger = await Ledger.open({ folder: long, segmentBytes: 700 });
    for (let at = 0; at < 12; at += 1) await ledger.append({ ...entry, details: { at } });
    await ledger.close();
    const publicKeys = [await publicKeyText(long)];
    const names = readdirSync(long)
      .filter((name) => name.startsWith('entries-'))
      .sort();
    expect(names.length).toBeGreaterThan(3);
    expect(await verifyLedger(long, { publicKeys })).toMatchObject({ isIntact: true, size: 12 });
    for (const [index, name] of names.entries()) {
      const copy = join(base, `copy-${index}`);
      cpSync(long, copy, { recursive: true });
      const first = Number(name.slice(8, 20));
      rmSync(join(copy, name));
      expect((await verifyLedger(copy, { publicKeys })).first, name).toMatchObject({
        kind: 'missing',
        sequence: first,
      });
      writeFileSync(join(copy, name), '');
      expect((await verifyLedger(copy, { publicKeys })).first, name).toMatchObject({
        kind: 'missing',
        sequence: first,
      });
      rmSync(copy, { recursive: true });
    }
  });
});
