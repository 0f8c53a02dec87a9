import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBox } from '../src/engine/box/index.ts';
import { tierPolicy } from '../src/engine/policy/index.ts';
import { Probe } from '../src/instruments/probe/probe.ts';
import { scanners } from '../src/instruments/probe/scanners/index.ts';
import { median } from './machine.ts';
import type { Result } from './result.ts';

/** What the gate costs a scan: the same scanner, with the same arguments, with and without it. */

const rounds = 3;
const ports = '20000-20999';

function openTarget(): Promise<Server> {
  const server = createServer((_, response) => {
    response.statusCode = 404;
    response.end('nothing');
  });
  return new Promise((resolve) => void server.listen(0, '127.0.0.1', () => resolve(server)));
}

async function openProbe(home: string, runtimeFolder: string): Promise<Probe> {
  const scopeFile = join(home, 'scope.json');
  const rate = { requestsPerSecond: 10_000, connectionsPerSecond: 10_000 };
  const authorization = { by: 'the benchmark', reference: 'loopback' };
  writeFileSync(scopeFile, JSON.stringify({ targets: ['127.0.0.1'], authorization, rate }));
  return Probe.open({
    scopeFile,
    networkLayer: 'gate',
    environment: {},
    homeFolder: home,
    backend: 'bwrap',
    runtimeFolder,
    dockerSocket: '',
  });
}

async function timeScan(probe: Probe, name: string, input: object): Promise<{ ms: number; argv: readonly string[] }> {
  const scanner = scanners.find((each) => each.name === name);
  if (scanner === undefined) throw new Error(`there is no ${name}`);
  const startedAt = performance.now();
  const call = { signal: new AbortController().signal, progress: () => undefined };
  const { result } = await probe.scan(scanner, scanner.input.parse(input), call);
  if (result.status !== 'completed') throw new Error(`${name} is ${result.status}: ${result.notes.join('; ')}`);
  return { ms: performance.now() - startedAt, argv: result.command };
}

async function timeBox(runtimeFolder: string): Promise<number> {
  const startedAt = performance.now();
  const box = await createBox(tierPolicy('HIGH'), { backend: 'bwrap', runtimeFolder });
  const child = await box.spawn(['/bin/true']);
  await child.exited;
  await box.close();
  return performance.now() - startedAt;
}

/** The same words on the bare machine, in a folder of its own. */
function timeBare(argv: readonly string[], files: Readonly<Record<string, string>>): number {
  const folder = mkdtempSync(join(tmpdir(), 'hotcell-bench-bare-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const startedAt = performance.now();
  const [program = '', ...rest] = argv;
  const ran = spawnSync(program, rest, { cwd: folder, stdio: 'ignore', timeout: 60_000 });
  const ms = performance.now() - startedAt;
  rmSync(folder, { recursive: true, force: true });
  if (ran.status !== 0) throw new Error(`${program} ended with ${ran.status}`);
  return ms;
}

export async function measureProbe({ runtimeFolder }: { runtimeFolder: string }): Promise<readonly Result[]> {
  const home = mkdtempSync(join(tmpdir(), 'hotcell-bench-probe-'));
  const server = await openTarget();
  const { port } = server.address() as AddressInfo;
  const probe = await openProbe(home, runtimeFolder);
  try {
    const [gated, bare, http, box]: [number[], number[], number[], number[]] = [[], [], [], []];
    for (let round = 0; round < rounds; round += 1) {
      box.push(await timeBox(runtimeFolder));
      http.push((await timeScan(probe, 'http_probe', { url: `http://127.0.0.1:${port}/` })).ms);
      const scan = await timeScan(probe, 'nmap_scan', { target: '127.0.0.1', ports });
      gated.push(scan.ms);
      bare.push(timeBare(scan.argv, {}));
    }
    const boxed = median(box);
    return [
      {
        name: 'probe: a whole http_probe, room and gate included',
        value: median(http),
        unit: 'ms',
        bar: 2500,
        detail: `median of ${rounds}; a bare box with nothing in it takes ${boxed.toFixed(0)} ms`,
      },
      {
        name: 'probe: nmap of 1000 closed ports through the gate',
        value: median(gated) - median(bare),
        unit: 'ms',
        bar: 3000,
        detail: `${median(gated).toFixed(0)} ms with room and gate, ${median(bare).toFixed(0)} ms bare; the bar is on the difference`,
      },
    ];
  } finally {
    await probe.close();
    await new Promise((resolve) => void server.close(resolve));
    rmSync(home, { recursive: true, force: true });
  }
}
