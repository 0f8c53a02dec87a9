import { execFileSync, spawn } from 'node:child_process';
import { closeSync, fdatasync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildBatch } from '../src/engine/ledger/batch.ts';
import { prepareLine } from '../src/engine/ledger/entry.ts';
import { Ledger } from '../src/engine/ledger/index.ts';
import { noLeaf } from '../src/engine/ledger/tree.ts';
import { sampleBytes, sampleEntry } from './ledger-process.ts';
import type { Result } from './result.ts';

/** Durable appends against a bare loop of writes and fsyncs that are shared in the same way, and verification. */

const program = fileURLToPath(new URL('ledger-process.ts', import.meta.url));
const synchronise = promisify(fdatasync);
const writers = 8;
/** Short, and in turns: what else the disk has to do comes and goes, and must meet both alike. */
const rounds = 30;
const roundMs = 150;
const entries = 1_000_000;
const wantedPerSecond = 10_000;
const wantedShare = 0.6;
const wantedVerifiedPerSecond = 100_000;

type Append = () => Promise<unknown>;

/** The least there can be: what came while the disk was busy goes out in one write with one fsync. */
function bareGroup(descriptor: number): Append {
  let waiting: (() => void)[] = [];
  let isBusy = false;
  const work = async (): Promise<void> => {
    isBusy = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      writeSync(descriptor, Buffer.concat(batch.map(() => sampleBytes)));
      await synchronise(descriptor);
      for (const resolve of batch) resolve();
      await new Promise((resolve) => setImmediate(resolve));
    }
    isBusy = false;
  };
  return () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (!isBusy) void work();
    });
}

interface Rate {
  count: number;
  ms: number;
}

async function measureRound(rate: Rate, append: Append, callers: number): Promise<void> {
  const startedAt = performance.now();
  const call = async (): Promise<void> => {
    for (; performance.now() - startedAt < roundMs; rate.count += 1) await append();
  };
  await Promise.all(Array.from({ length: callers }, call));
  rate.ms += performance.now() - startedAt;
}

function rateResult(name: string, own: Rate, bare: Rate): Result {
  const [ours, theirs] = [own, bare].map(({ count, ms }) => (count / ms) * 1000);
  if (ours === undefined || theirs === undefined) throw new Error('nothing was measured');
  const value = Math.min(wantedPerSecond, wantedShare * theirs) / ours;
  const share = ((ours / theirs) * 100).toFixed(0);
  const detail = `${ours.toFixed(0)} appends/s, bare ${theirs.toFixed(0)}/s: ${share} %; wanted ${wantedPerSecond}/s or ${wantedShare * 100} %`;
  return { name, value, unit: 'x', bar: 1, detail };
}

const noRate = (): Rate => ({ count: 0, ms: 0 });

async function measureCallers(folder: string): Promise<readonly Result[]> {
  const descriptor = openSync(join(folder, 'bare'), 'a');
  const ledger = await Ledger.open({ folder: join(folder, 'callers') });
  const [ours, bare]: [Append, Append] = [() => ledger.append(sampleEntry), bareGroup(descriptor)];
  const [many, one] = [0, 1].map(() => ({ own: noRate(), bare: noRate() }));
  if (many === undefined || one === undefined) throw new Error('nothing is measured');
  for (let round = 0; round < rounds; round += 1) {
    await measureRound(many.bare, bare, writers);
    await measureRound(many.own, ours, writers);
    await measureRound(one.bare, bare, 1);
    await measureRound(one.own, ours, 1);
  }
  await ledger.close();
  closeSync(descriptor);
  const [own, plain] = [one.own.ms / one.own.count, one.bare.ms / one.bare.count];
  const detail = `${own.toFixed(3)} ms against ${plain.toFixed(3)} ms for a write and an fsync`;
  return [
    rateResult(`ledger: ${writers} callers, one process`, many.own, many.bare),
    { name: '… a lone append beyond its fsync', value: own - plain, unit: 'ms', bar: 0.3, detail },
  ];
}

/** Eight processes that begin together, round after round. */
async function measureProcesses(folder: string): Promise<readonly Result[]> {
  const children = Array.from({ length: writers }, () => {
    const child = spawn(process.execPath, [program, 'serve', folder], { stdio: ['pipe', 'pipe', 'inherit'] });
    return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
  });
  const ask = async (line: string): Promise<number> => {
    for (const { child } of children) child.stdin.write(line);
    const counts = await Promise.all(children.map(async ({ lines }) => Number((await lines.next()).value)));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  const rates = { bare: noRate(), append: noRate() };
  for (const { lines } of children) await lines.next();
  for (let round = 0; round < rounds; round += 1) {
    for (const mode of ['bare', 'append'] as const) {
      rates[mode].count += await ask(`${mode} ${roundMs}\n`);
      rates[mode].ms += roundMs;
    }
  }
  for (const { child } of children) child.stdin.end();
  await Promise.all(children.map(({ child }) => new Promise((resolve) => child.once('exit', resolve))));
  return [rateResult(`ledger: ${writers} processes`, rates.append, rates.bare)];
}

/** Entries straight into the file: a million fsyncs are not what is measured here. */
async function writeMany(folder: string): Promise<void> {
  await (await Ledger.open({ folder })).close();
  const descriptor = openSync(join(folder, 'entries-000000000000.ndjson'), 'a');
  const lines = Array.from({ length: 500 }, () => prepareLine(sampleEntry));
  let previous = noLeaf;
  for (let count = 0; count < entries; count += lines.length) {
    const batch = buildBatch(lines, previous, count);
    writeSync(descriptor, batch.bytes);
    previous = batch.lines.at(-1)?.leaf ?? noLeaf;
  }
  closeSync(descriptor);
  await (await Ledger.open({ folder })).close();
}

async function measureVerify(folder: string): Promise<readonly Result[]> {
  await writeMany(folder);
  const said = JSON.parse(execFileSync(process.execPath, [program, 'verify', folder], { encoding: 'utf8' }));
  if (said.isIntact !== true || said.size !== entries) throw new Error('the log of the benchmark is not intact');
  const openedAt = performance.now();
  const ledger = await Ledger.open({ folder });
  const openMs = performance.now() - openedAt;
  await ledger.close();
  rmSync(folder, { recursive: true, force: true });
  const rate = entries / said.seconds;
  const detail = `${rate.toFixed(0)} entries/s of ${entries}; wanted ${wantedVerifiedPerSecond}/s`;
  return [
    { name: 'ledger: verify', value: wantedVerifiedPerSecond / rate, unit: 'x', bar: 1, detail },
    { name: '… its memory', value: said.mebibytes, unit: 'MiB', bar: 250, detail: 'at most, resident' },
    {
      name: '… opening that ledger',
      value: openMs,
      unit: 'ms',
      bar: 100,
      detail: 'with what the last checkpoint vouches for',
    },
  ];
}

export async function measureLedger({ runtimeFolder }: { runtimeFolder: string }): Promise<readonly Result[]> {
  const folder = join(runtimeFolder, 'ledger');
  mkdirSync(folder);
  return [
    ...(await measureCallers(folder)),
    ...(await measureProcesses(folder)),
    ...(await measureVerify(join(folder, 'million'))),
  ];
}
