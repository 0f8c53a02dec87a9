import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BackendId, backends } from '../src/engine/box/index.ts';
import { median } from './machine.ts';
import { introduce, openPipe, type Pipe } from './mcp-pipe.ts';
import type { Result } from './result.ts';

/** A server behind the guard, as a client starts it, against the same server bare, turn about in one run. */

const program = fileURLToPath(new URL('../bin/hotcell', import.meta.url));
const server = fileURLToPath(new URL('guard-server.js', import.meta.url));
const starts = 21;
const blocks = 12;
const callsPerBlock = 200;
const bigBlocks = 10;
const bigCallsPerBlock = 10;
const mebibyte = 1024 * 1024;
const many = 10;

/** Two cores, so that a share of them is not what is measured; everything else is the tier LOW. */
const policy = ['--policy', 'LOW', '--limit', 'cpuCores=2', '--limit', 'outputBytes=10737418240'];
const gaps: Partial<Record<BackendId, readonly string[]>> = {
  landlock: ['--allow-gap', 'names-visible', '--allow-gap', 'identity'],
};

type Side = () => Pipe;

function guarded(backend: BackendId, folder: string): Side {
  const words = ['run', '--backend', backend, ...policy, ...(gaps[backend] ?? []), '--', process.execPath, server];
  const environment = { HOTCELL_HOME: join(folder, 'home'), HOTCELL_RUNTIME_FOLDER: join(folder, 'runtime') };
  return () => openPipe(program, words, environment);
}

const bare: Side = () => openPipe(process.execPath, [server]);

async function startMs(open: Side): Promise<number> {
  const startedAt = performance.now();
  const pipe = open();
  await introduce(pipe);
  await pipe.request('tools/list', {});
  const ms = performance.now() - startedAt;
  await pipe.close();
  return ms;
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

async function measureStarts(backend: BackendId, side: Side): Promise<readonly Result[]> {
  const [own, plain]: [number[], number[]] = [[], []];
  for (let round = -2; round < starts; round += 1) {
    const [plainMs, ownMs] = [await startMs(bare), await startMs(side)];
    if (round < 0) continue;
    plain.push(plainMs);
    own.push(ownMs);
  }
  const [ownMs, plainMs] = [median(own), median(plain)];
  const added = own.map((ms, at) => ms - (plain[at] ?? 0));
  const detail = `${ownMs.toFixed(0)} ms against ${plainMs.toFixed(0)} ms to tools/list, median of ${starts}`;
  return [
    { name: `guard: start in ${backend}`, value: ownMs / plainMs, unit: 'x', bar: 1.5, detail },
    {
      name: '… added, p95',
      value: quantile(added, 0.95),
      unit: 'ms',
      bar: 200,
      detail: `median ${median(added).toFixed(0)} ms`,
    },
  ];
}

async function callTimes(pipe: Pipe, count: number, bytes: number): Promise<number[]> {
  const times: number[] = [];
  for (let call = 0; call < count; call += 1) {
    const startedAt = performance.now();
    await pipe.request('tools/call', { name: 'say', arguments: { bytes } });
    times.push(performance.now() - startedAt);
  }
  return times;
}

async function measureCalls(backend: BackendId, side: Side): Promise<readonly Result[]> {
  const [own, plain] = [side(), bare()];
  const small: { own: number[]; plain: number[] } = { own: [], plain: [] };
  const big: { own: number[]; plain: number[] } = { own: [], plain: [] };
  await introduce(own);
  await introduce(plain);
  for (let block = 0; block <= blocks; block += 1) {
    const [plainMs, ownMs] = [await callTimes(plain, callsPerBlock, 20), await callTimes(own, callsPerBlock, 20)];
    // The first block is for whatever has to get warm.
    if (block === 0) continue;
    small.own.push(...ownMs);
    small.plain.push(...plainMs);
  }
  for (let block = 0; block <= bigBlocks; block += 1) {
    const [plainMs, ownMs] = [
      await callTimes(plain, bigCallsPerBlock, mebibyte),
      await callTimes(own, bigCallsPerBlock, mebibyte),
    ];
    if (block === 0) continue;
    big.own.push(...ownMs);
    big.plain.push(...plainMs);
  }
  await own.close();
  await plain.close();
  const added = (part: number): number => quantile(small.own, part) - quantile(small.plain, part);
  const shown = (part: number): string =>
    `${quantile(small.own, part).toFixed(3)} ms against ${quantile(small.plain, part).toFixed(3)} ms, ${small.own.length} calls in ${backend}`;
  const [ownMs, plainMs] = [median(big.own), median(big.plain)];
  return [
    { name: 'guard: added to a call, p50', value: added(0.5), unit: 'ms', bar: 0.5, detail: shown(0.5) },
    { name: '… p99', value: added(0.99), unit: 'ms', bar: 3, detail: shown(0.99) },
    {
      name: '… time of a 1 MB result',
      value: ownMs / plainMs,
      unit: 'x',
      bar: 1 / 0.7,
      detail: `${ownMs.toFixed(1)} ms against ${plainMs.toFixed(1)} ms: ${(plainMs / ownMs).toFixed(2)}x of the throughput`,
    },
  ];
}

/** Resident and not shared with others, of a process and everything it started that is Hotcell's own. */
function privateMebibytes(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kilobytes = ['Private_Clean', 'Private_Dirty'].map((name) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(rollup)?.[1] ?? 0),
  );
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1024;
}

function childrenOf(pid: number): number[] {
  const folder = `/proc/${pid}/task`;
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((thread) =>
    readFileSync(`${folder}/${thread}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  );
}

/** Ten servers behind one guard: what the guard itself has, without the boxes and what is in them. */
async function measureMemory(backend: BackendId, folder: string): Promise<readonly Result[]> {
  const config = join(folder, 'ten-servers.json');
  const entry = { command: process.execPath, args: [server] };
  const { writeFileSync } = await import('node:fs');
  writeFileSync(
    config,
    JSON.stringify({ mcpServers: Object.fromEntries(Array.from({ length: many }, (_, at) => [`s${at}`, entry])) }),
  );
  const words = ['run', '--backend', backend, ...policy, ...(gaps[backend] ?? []), '--config', config];
  const child = spawn(program, words, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, HOTCELL_HOME: join(folder, 'home'), HOTCELL_RUNTIME_FOLDER: join(folder, 'runtime') },
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    const clientInfo = { name: 'bench', version: '1' };
    const answers = new Promise<void>((resolve, reject) => {
      let seen = '';
      child.once('exit', () => reject(new Error('the gateway has ended')));
      child.stdout.on('data', (chunk: Buffer) => {
        seen += chunk.toString('latin1');
        if (seen.includes('"id":2')) resolve();
      });
    });
    const send = (message: object): void =>
      void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/list', params: {} });
    await answers;
    const boxes = childrenOf(child.pid ?? 0).length;
    const detail = `one guard, ${many} ${backend} boxes (${boxes} children), private memory`;
    return [
      { name: 'guard: memory for ten servers', value: privateMebibytes(child.pid ?? 0), unit: 'MiB', bar: 120, detail },
    ];
  } finally {
    child.stdin.end();
    await ended;
  }
}

export async function measureGuard({ runtimeFolder }: { runtimeFolder: string }): Promise<readonly Result[]> {
  const results: Result[] = [];
  let first: BackendId | null = null;
  for (const backend of ['bwrap', 'landlock'] as const) {
    const found = backends.find(({ id }) => id === backend);
    if ((await found?.probe({ runtimeFolder }))?.is !== 'yes') continue;
    first ??= backend;
    const folder = join(runtimeFolder, `guard-${backend}`);
    mkdirSync(join(folder, 'runtime'), { recursive: true, mode: 0o711 });
    const side = guarded(backend, folder);
    results.push(...(await measureStarts(backend, side)));
    if (first === backend)
      results.push(...(await measureCalls(backend, side)), ...(await measureMemory(backend, folder)));
  }
  return results;
}
