import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from 'vitest';
import { HostError, UsageError } from '../../base/errors.ts';
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

const base = mkdtempSync(join(tmpdir(), 'ledger-'));
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

describe('a ledger', () => {
  it('is made on first use, with keys that only the owner can read', async () => {
    const folder = join(base, 'new');
    const appended = await using(folder, async (ledger) => {
      expect(ledger.origin).toMatch(/^hotcell\/ledger\/[0-9a-f]{16}$/);
      return [
        await ledger.append(entry),
        await ledger.append({ ...entry, details: { secret: ledger.hashSecret('x') } }),
      ];
    });
    expect(appended.map(({ sequence }) => sequence)).toEqual([0, 1]);
    const lines = readFileSync(join(folder, firstSegment), 'utf8').split('\n').slice(0, -1);
    expect(lines.map((line) => hashLeaf(line))).toEqual(appended.map(({ leaf }) => leaf));
    expect(await verify(folder)).toMatchObject({ isIntact: true, size: 2, uncovered: 0, checkpoints: 2 });
    expect(statSync(join(folder, 'keys')).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(join(folder, 'keys')).filter((file) => file.endsWith('.key'))) {
      expect(statSync(join(folder, 'keys', name)).mode & 0o777).toBe(0o600);
    }
    expect(readdirSync(join(folder, 'writers'))).toEqual([]);
  });

  it('hashes a secret in the same way for ever, and otherwise than another ledger', async () => {
    const [one, two] = [join(base, 'hash-one'), join(base, 'hash-two')];
    const hashes = [];
    for (const folder of [one, one, two])
      hashes.push(await using(folder, async (ledger) => ledger.hashSecret('secret')));
    expect(hashes[0]).toMatch(/^hmac-sha256:[0-9a-f]{64}$/);
    expect(hashes[1]).toBe(hashes[0]);
    expect(hashes[2]).not.toBe(hashes[0]);
  });

  it('is signed every so many entries, and every so often', async () => {
    const folder = join(base, 'intervals');
    await using(
      folder,
      async (ledger) => {
        for (let at = 0; at < 9; at += 1) await ledger.append(entry);
        await ledger.checkpoint();
        expect((await verify(folder)).checkpoints).toBeGreaterThanOrEqual(4);
      },
      { checkpointEvery: 3 },
    );
    await using(
      folder,
      async (ledger) => {
        await ledger.append(entry);
        await expect.poll(async () => (await verify(folder)).uncovered, { interval: 10 }).toBe(0);
      },
      { checkpointMs: 5 },
    );
  });

  it('refuses what it cannot be', async () => {
    const folder = join(base, 'refuses');
    await using(folder, async (ledger) => {
      await expect(ledger.append({ ...entry, session: '' })).rejects.toThrow(UsageError);
      await ledger.append(entry);
      await expect(ledger.rotateKeys({ overlapMs: -1 })).rejects.toThrow(UsageError);
    });
    const closed = await Ledger.open({ folder });
    await closed.close();
    await closed.close();
    await expect(closed.append(entry)).rejects.toThrow(HostError);
    await expect(Ledger.open({ folder, origin: 'another' })).rejects.toThrow(UsageError);
    await expect(Ledger.open({ folder, segmentBytes: 0 })).rejects.toThrow(UsageError);
    const [key] = readdirSync(join(folder, 'keys')).filter((name) => /^[0-9a-f]{8}\.key$/.test(name));
    const path = join(folder, 'keys', key ?? '');
    execFileSync('chmod', ['644', path]);
    await expect(using(folder, (ledger) => ledger.append(entry))).rejects.toThrow(/read by others/);
    execFileSync('chmod', ['600', path]);
    rmSync(join(folder, 'keys'), { recursive: true });
    await expect(Ledger.open({ folder })).rejects.toThrow(/keys are gone/);
  });

  it('opens only onto what its last checkpoint vouches for, whatever the hint says', async () => {
    const folder = join(base, 'hint');
    await using(folder, async (ledger) => {
      for (let at = 0; at < 5; at += 1) await ledger.append(entry);
    });
    const hint = join(folder, 'frontier');
    const kept = readFileSync(hint, 'utf8');
    for (const wrong of [
      '',
      '{}',
      'no JSON',
      kept.replace('"size":5', '"size":7'),
      kept.replace(/"offset":\d+/, '"offset":3'),
      kept.replaceAll(/[0-9a-f]{64}/g, noLeaf),
    ]) {
      writeFileSync(hint, wrong);
      await using(folder, (ledger) => ledger.append(entry));
      expect(await verify(folder)).toMatchObject({ isIntact: true });
    }
    const lines = readFileSync(join(folder, firstSegment), 'utf8').split(/(?<=\n)/);
    writeFileSync(join(folder, firstSegment), lines.slice(0, 4).join(''));
    await expect(Ledger.open({ folder })).rejects.toThrow(/damaged at entry 4/);
  });

  it('lets the clock go backwards, and says so', async () => {
    const folder = join(base, 'clock');
    mkdirSync(folder);
    let [previous, text] = [noLeaf, ''];
    for (const [sequence, wall] of [
      '2026-01-01T00:00:02.000Z',
      '2026-01-01T00:00:01.000Z',
      '2026-01-01T00:00:03.000Z',
    ].entries()) {
      const line = finishLine(prepareLine(entry), { monotonicNs: BigInt(sequence), wall }, previous, sequence);
      previous = hashLeaf(line);
      text += `${line}\n`;
    }
    await using(join(base, 'clock-keys'), (ledger) => ledger.append(entry));
    execFileSync('cp', ['-a', join(base, 'clock-keys', 'keys'), folder]);
    writeFileSync(join(folder, firstSegment), text);
    await using(folder, async () => undefined);
    expect(await verify(folder)).toMatchObject({ isIntact: true, size: 3, clockSteps: { count: 1, first: 1 } });
  });
});

describe('many writers', () => {
  it('in one process share the log, across segments', async () => {
    const folder = join(base, 'two');
    const ledgers = await Promise.all(
      [1, 2, 3].map(() => Ledger.open({ folder, segmentBytes: 2000, checkpointEvery: 7 })),
    );
    const appended = await Promise.all(
      ledgers.flatMap((ledger, which) =>
        Array.from({ length: 4 }, async (_, caller) => {
          const sequences = [];
          for (let at = 0; at < 10; at += 1) {
            sequences.push(
              (await ledger.append({ ...entry, session: `${which}-${caller}`, details: { at } })).sequence,
            );
          }
          return sequences;
        }),
      ),
    );
    await Promise.all(ledgers.map((ledger) => ledger.close()));
    expect(appended.flat().toSorted((left, right) => left - right)).toEqual(Array.from({ length: 120 }, (_, at) => at));
    for (const sequences of appended) expect(sequences).toEqual(sequences.toSorted((left, right) => left - right));
    expect(await verify(folder)).toMatchObject({ isIntact: true, size: 120, uncovered: 0, unacknowledged: [] });
    expect(readdirSync(folder).filter((name) => name.startsWith('entries-')).length).toBeGreaterThan(5);
  });

  const writer = `
    const { Ledger } = await import(process.argv[1]);
    const [, , folder, name, count] = process.argv;
    const ledger = await Ledger.open({ folder, segmentBytes: 20_000, checkpointEvery: 50 });
    const entry = { instrument: 'guard', action: 'tool.call', verdict: 'allowed', session: name };
    await Promise.all([0, 1].map(async (caller) => {
      for (let at = 0; at < Number(count); at += 1) {
        const { sequence } = await ledger.append({ ...entry, details: { at, caller } });
        process.stdout.write(sequence + '\\n');
      }
    }));
    await ledger.close();
  `;
  const start = (folder: string, name: string, count: number) =>
    spawn(
      process.execPath,
      ['--input-type=module', '-e', writer, new URL('ledger.ts', import.meta.url).href, folder, name, String(count)],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );

  it('in eight processes lose nothing, from the first moment on', async () => {
    const folder = join(base, 'eight');
    const acknowledged = await Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        const child = start(folder, `writer-${at}`, 20);
        const exited = new Promise((resolve) => child.once('exit', resolve));
        const lines = await Array.fromAsync(createInterface({ input: child.stdout }));
        expect(await exited).toBe(0);
        return lines.map(Number);
      }),
    );
    expect(acknowledged.flat().toSorted((left, right) => left - right)).toEqual(
      Array.from({ length: 320 }, (_, at) => at),
    );
    expect(await verify(folder)).toMatchObject({ isIntact: true, size: 320, uncovered: 0, torn: [] });
    const sessions = Map.groupBy(await entriesOf(folder), ({ session }) => session);
    expect([...sessions.values()].map((entries) => entries.length)).toEqual(Array.from({ length: 8 }, () => 40));
  });

  it('that are killed leave everything they acknowledged', async () => {
    const folder = join(base, 'killed');
    const child = start(folder, 'killed', 1_000_000);
    const acknowledged: number[] = [];
    const exited = new Promise((resolve) => child.once('exit', resolve));
    for await (const line of createInterface({ input: child.stdout })) {
      acknowledged.push(Number(line));
      if (acknowledged.length === 50) child.kill('SIGKILL');
    }
    await exited;
    await using(folder, (ledger) => ledger.append(entry));
    const report = await verify(folder);
    expect(report.isIntact).toBe(true);
    const believed = new Set((await entriesOf(folder)).map(({ sequence }) => sequence));
    expect(acknowledged.every((sequence) => believed.has(sequence))).toBe(true);
    // What was not acknowledged is either not there, or named as such.
    const extra = [...believed].filter(
      (sequence) => sequence > Math.max(...acknowledged) && sequence < report.size - 2,
    );
    for (const sequence of extra)
      expect(report.unacknowledged.some(({ from, to }) => from <= sequence && sequence <= to)).toBe(true);
    expect(readdirSync(join(folder, 'writers'))).toEqual([]);
  });
});
