import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { median } from './machine.ts';
import { introduce, openPipe, type Pipe } from './mcp-pipe.ts';
import type { Result } from './result.ts';

/** The door for agents, as a client starts it, against a server of the bare SDK in the same run. */

const program = fileURLToPath(new URL('../bin/hotcell', import.meta.url));
const bareProgram = fileURLToPath(new URL('mcp-bare.ts', import.meta.url));
const starts = 9;
const blocks = 10;
const callsPerBlock = 100;
const clients = 200;
const callsPerClient = 50;

type Side = (home: string) => Pipe;

const ours: Side = (home) => openPipe(program, ['mcp'], { HOTCELL_HOME: home });
const bare: Side = () => openPipe(process.execPath, [bareProgram]);

async function startMs(open: Side, home: string): Promise<number> {
  const startedAt = performance.now();
  const pipe = open(home);
  await introduce(pipe);
  await pipe.request('tools/list', {});
  const ms = performance.now() - startedAt;
  await pipe.close();
  return ms;
}

async function callMs(pipe: Pipe, name: string): Promise<number> {
  const startedAt = performance.now();
  for (let call = 0; call < callsPerBlock; call += 1) await pipe.request('tools/call', { name, arguments: {} });
  return (performance.now() - startedAt) / callsPerBlock;
}

async function measureStarts(home: string): Promise<readonly Result[]> {
  const [own, plain]: [number[], number[]] = [[], []];
  for (let round = 0; round < starts; round += 1) {
    own.push(await startMs(ours, home));
    plain.push(await startMs(bare, home));
  }
  const [ownMs, plainMs] = [median(own), median(plain)];
  const detail = `median of ${starts}; bare SDK ${plainMs.toFixed(0)} ms`;
  return [
    { name: 'mcp: start to tools/list', value: ownMs, unit: 'ms', bar: 600, detail },
    { name: '… against the bare SDK', value: ownMs / plainMs, unit: 'x', bar: 2.5, detail: '' },
  ];
}

async function measureCalls(home: string): Promise<readonly Result[]> {
  const [own, plain] = [ours(home), bare(home)];
  const times: { own: number[]; plain: number[] } = { own: [], plain: [] };
  await introduce(own);
  await introduce(plain);
  for (let block = 0; block <= blocks; block += 1) {
    const [ownMs, plainMs] = [await callMs(own, 'job_status'), await callMs(plain, 'echo')];
    // The first block is for whatever has to get warm.
    if (block === 0) continue;
    times.own.push(ownMs);
    times.plain.push(plainMs);
  }
  await own.close();
  await plain.close();
  const [ownMs, plainMs] = [median(times.own), median(times.plain)];
  const detail = `${ownMs.toFixed(3)} ms against ${plainMs.toFixed(3)} ms, median of ${blocks} x ${callsPerBlock}`;
  return [{ name: 'mcp: a small call', value: ownMs / plainMs, unit: 'x', bar: 1.5, detail }];
}

/** What the process had at most, by its own account. */
function peakMebibytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) / 1024;
}

async function useOne(url: string, mode: 'auto' | 'legacy'): Promise<number> {
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode } });
  let errors = 0;
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    for (let call = 0; call < callsPerClient; call += 1) {
      const result = await client.callTool({ name: 'job_status', arguments: {} });
      errors += result.isError === true ? 1 : 0;
    }
  } catch {
    errors += 1;
  }
  await client.close();
  return errors;
}

interface Served {
  readonly url: string;
  readonly pid: number;
  /** Tells it to end; resolves with how long that took. */
  end(): Promise<number>;
}

async function serve(home: string, runtimeFolder: string): Promise<Served> {
  const args = ['mcp', '--transport', 'http', '--http-port', '0'];
  const { MCP_TOKEN: _token, ...environment } = process.env;
  const server = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...environment, HOTCELL_HOME: home, HOTCELL_RUNTIME_FOLDER: runtimeFolder },
  });
  const exited = new Promise((resolve) => server.once('exit', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    server.once('exit', () => reject(new Error('the server has ended')));
    createInterface({ input: server.stderr }).on('line', (line) => {
      const found = /"url":"([^"]+)"/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  return {
    url,
    pid: server.pid ?? 0,
    async end() {
      const startedAt = performance.now();
      server.kill('SIGTERM');
      await exited;
      return performance.now() - startedAt;
    },
  };
}

async function measureCrowdOfClients(home: string, runtimeFolder: string): Promise<readonly Result[]> {
  const server = await serve(home, runtimeFolder);
  try {
    const startedAt = performance.now();
    const uses = Array.from({ length: clients }, (_, at) => useOne(server.url, at % 2 === 0 ? 'auto' : 'legacy'));
    const errors = (await Promise.all(uses)).reduce((sum, each) => sum + each, 0);
    const seconds = (performance.now() - startedAt) / 1000;
    const detail = `${clients} clients x ${callsPerClient} calls, half of them with sessions, in ${seconds.toFixed(1)} s`;
    return [
      { name: 'mcp: errors over HTTP', value: errors, unit: 'errors', bar: 0, detail },
      { name: '… its memory', value: peakMebibytes(server.pid), unit: 'MiB', bar: 300, detail: 'at most, resident' },
    ];
  } finally {
    await server.end();
  }
}

const waitMs = 20_000;

/** Told to end while a tool is at work in a box. */
async function measureEnd(home: string, runtimeFolder: string): Promise<readonly Result[]> {
  const server = await serve(home, runtimeFolder);
  const client = new Client({ name: 'bench', version: '1' });
  const boxes = join(runtimeFolder, 'boxes');
  const isAtWork = (): boolean => existsSync(boxes) && readdirSync(boxes).length > 0;
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
    const input = { argv: ['sleep', '30'], time_limit_seconds: 40 };
    const call = client.callTool({ name: 'run_in_box', arguments: input }).catch(() => null);
    const until = performance.now() + waitMs;
    while (!isAtWork() && performance.now() < until) await sleep(50);
    // Until the command itself runs.
    await sleep(1000);
    const hasWork = isAtWork();
    const endMs = await server.end();
    await call;
    const value = hasWork && !isAtWork() ? endMs : Number.NaN;
    return [{ name: 'mcp: end', value, unit: 'ms', bar: 3000, detail: 'from SIGTERM on, a box with it' }];
  } finally {
    await client.close().catch(() => undefined);
    // Also where it never came to the measuring; one that has ended stays so.
    await server.end();
  }
}

export async function measureMcp({ runtimeFolder }: { runtimeFolder: string }): Promise<readonly Result[]> {
  const home = join(runtimeFolder, 'mcp-home');
  return [
    ...(await measureStarts(home)),
    ...(await measureCalls(home)),
    ...(await measureCrowdOfClients(home, runtimeFolder)),
    ...(await measureEnd(home, runtimeFolder)),
  ];
}
