import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { finishLine, prepareLine } from './entry.ts';
import {
  Ledger,
  type LedgerEntry,
  type LedgerOptions,
  publicKeyText,
  readEntries,
  type StoredEntry,
  type VerifyReport,
  verifyLedger,
} from './index.ts';
import { hashLeaf, noLeaf } from './tree.ts';
import { WriterRecord } from './writers.ts';

const base = mkdtempSync(join(tmpdir(), 'ledger-crash-'));
const entry: LedgerEntry = { instrument: 'guard', action: 'tool.call', verdict: 'allowed', session: 'one' };
const firstSegment = 'entries-000000000000.ndjson';

afterAll(() => rmSync(base, { recursive: true, force: true }));

async function using<T>(
  folder: string,
  use: (ledger: Ledger) => Promise<T>,
  options: Partial<LedgerOptions> = {},
): Promise<T> {
  await using ledger = await Ledger.open({ folder, ...options });
  return await use(ledger);
}

async function verify(folder: string): Promise<VerifyReport> {
  return await verifyLedger(folder, { publicKeys: [await publicKeyText(folder)] });
}

async function entriesOf(folder: string): Promise<readonly StoredEntry[]> {
  return (await Array.fromAsync(readEntries(folder))).map((read) => read.entry);
}

describe('after a crash', () => {
  it.each([
    ['half a line', '{"action":"tool.ca'],
    ['a line that is no entry', 'garbage\n'],
    ['zeros', '\0'.repeat(300)],
    [
      'an entry that does not follow',
      `${finishLine(prepareLine(entry), { monotonicNs: 1n, wall: '2026-01-01T00:00:00.000Z' }, noLeaf, 3)}\n`,
    ],
  ])('%s is moved aside, and the log says so', async (_, rest) => {
    const folder = mkdtempSync(join(base, 'torn-'));
    await using(folder, async (ledger) => {
      for (let at = 0; at < 3; at += 1) await ledger.append(entry);
    });
    appendFileSync(join(folder, firstSegment), rest);
    expect((await verify(folder)).first?.sequence).toBe(3);
    await using(folder, (ledger) => ledger.append(entry));
    const report = await verify(folder);
    expect(report).toMatchObject({ isIntact: true, size: 5 });
    expect(report.torn).toHaveLength(1);
    expect(readFileSync(join(folder, report.torn[0] ?? ''), 'utf8')).toBe(rest);
    const recovered = (await entriesOf(folder))[3];
    expect(recovered).toMatchObject({
      action: 'ledger.recover',
      details: { dropped: { bytes: rest.length, file: report.torn[0] } },
    });
  });

  it('a recovery that was interrupted is told about by the next one', async () => {
    const folder = join(base, 'interrupted');
    await using(folder, (ledger) => ledger.append(entry));
    writeFileSync(join(folder, 'torn-000000000001-20260101T000000000Z'), 'half');
    await using(folder, (ledger) => ledger.append(entry));
    await using(folder, (ledger) => ledger.append(entry));
    const actions = (await entriesOf(folder)).map(({ action }) => action);
    expect(actions).toEqual(['tool.call', 'ledger.recover', 'tool.call', 'tool.call']);
  });

  it('a writer that was there before puts it right as well', async () => {
    const folder = join(base, 'torn-live');
    await using(folder, async (ledger) => {
      await ledger.append(entry);
      appendFileSync(join(folder, firstSegment), 'half a li');
      expect(await ledger.append(entry)).toMatchObject({ sequence: 2 });
    });
    expect(await verify(folder)).toMatchObject({ isIntact: true, size: 3 });
  });

  it('a checkpoint that was not finished is moved aside', async () => {
    const folder = join(base, 'torn-note');
    await using(folder, (ledger) => ledger.append(entry));
    appendFileSync(join(folder, 'checkpoints'), 'hotcell/ledger/x\n12\nabc');
    await using(folder, (ledger) => ledger.append(entry));
    const report = await verify(folder);
    expect(report).toMatchObject({ isIntact: true, size: 2 });
    expect(report.torn.map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(['hotcell/ledger/x\n12\nabc']);
  });

  it('entries that nobody was told about are named, and only those', async () => {
    const folder = join(base, 'unacknowledged');
    const lines = await using(folder, async (ledger) => {
      for (let at = 0; at < 6; at += 1) await ledger.append(entry);
      return readFileSync(join(folder, firstSegment), 'utf8').split(/(?<=\n)/);
    });
    const leaves = lines.map((line) => hashLeaf(line.slice(0, -1)));
    const offset = Buffer.byteLength(lines.slice(0, 2).join(''));
    const record = new WriterRecord(folder);
    // Of its batch two entries got into the log; where the third would be, another writer's is.
    record.begin({ segment: 0, offset, from: 2, leaves: [leaves[2] ?? '', leaves[3] ?? '', noLeaf] });
    await using(folder, async () => undefined);
    expect(await verify(folder)).toMatchObject({ unacknowledged: [], size: 6 });
    record.abandon();
    await using(folder, async () => undefined);
    await using(folder, async () => undefined);
    expect(await verify(folder)).toMatchObject({ isIntact: true, size: 7, unacknowledged: [{ from: 2, to: 3 }] });
  });

  it.runIf(process.getuid?.() === 0)(
    'of a full disk nothing acknowledged is lost, and nothing else believed',
    async () => {
      const folder = join(base, 'full');
      mkdirSync(folder);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=192k,mode=700', 'tmpfs', folder]);
      try {
        const ledger = await Ledger.open({ folder, onProblem: () => undefined });
        const acknowledged: number[] = [];
        const fill = async (): Promise<void> => {
          while (acknowledged.length < 1000) {
            const both = [
              ledger.append({ ...entry, details: { text: 'x'.repeat(1500) } }),
              ledger.append({ ...entry, details: { text: 'y'.repeat(1900) } }),
            ];
            for (const { sequence } of await Promise.all(both)) acknowledged.push(sequence);
          }
        };
        await expect(fill()).rejects.toThrow(/ENOSPC/);
        await expect(ledger.append(entry)).rejects.toThrow(/takes nothing any more/);
        await ledger.close();
        execFileSync('mount', ['-o', 'remount,size=4m', folder]);
        await using(folder, (again) => again.append(entry));
        const report = await verify(folder);
        expect(report.isIntact).toBe(true);
        const sequences = (await entriesOf(folder)).map(({ sequence }) => sequence);
        expect(acknowledged.length).toBeGreaterThan(10);
        expect(sequences).toEqual(expect.arrayContaining(acknowledged));
        // The last two are what said so, and what was appended after it.
        const doubtful = sequences.slice(acknowledged.length, -2);
        expect(report.unacknowledged).toEqual(
          doubtful.length === 0 ? [] : [{ from: doubtful[0], to: doubtful.at(-1) }],
        );
      } finally {
        execFileSync('umount', [folder]);
      }
    },
  );
});
