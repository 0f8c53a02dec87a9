import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './machine.ts';
import type { Result } from './result.ts';

/** How long a scan takes, as a user starts it: a published server with all that it needs, and 5,000 files of source. */

const program = fileURLToPath(new URL('../src/doors/cli/main.ts', import.meta.url));
const published = 'npm:@modelcontextprotocol/server-filesystem@2025.7.1';
const rounds = 5;
const files = 5000;
const lookMs = 100;

interface Run {
  readonly code: number | null;
  readonly seconds: number;
  /** Of all processes together, at the worst moment that was looked at. */
  readonly peakMebibytes: number;
}

function residentBytes(root: number): number {
  const children = new Map<number, number[]>();
  const resident = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const parent = Number(fields[1]);
      children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
      resident.set(Number(name), Number(fields[21]) * 4096);
    } catch {
      // It ended meanwhile.
    }
  }
  let sum = 0;
  for (const waiting = [root]; waiting.length > 0; ) {
    const pid = waiting.pop() ?? 0;
    sum += resident.get(pid) ?? 0;
    waiting.push(...(children.get(pid) ?? []));
  }
  return sum;
}

function scan(args: readonly string[], home: string): Promise<Run> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--no-warnings', program, 'scan', ...args], {
    stdio: 'ignore',
    env: { ...process.env, HOTCELL_HOME: home },
  });
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentBytes(child.pid ?? 0));
  }, lookMs);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      clearInterval(timer);
      resolve({ code, seconds: (performance.now() - startedAt) / 1000, peakMebibytes: peak / 2 ** 20 });
    });
  });
}

/** Each file has a tool of its own that reaches a shell through two functions of two other files. */
function writeSources(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'many', version: '1.0.0', type: 'module' }));
  for (let at = 0; at < files; at += 1) {
    const other = (at * 7 + 1) % files;
    const body = Array.from({ length: 40 }, (_, line) => `  total += input.length * ${line};`).join('\n');
    const text = `import { exec } from 'node:child_process';
import { help${other} } from './file-${other}.js';
export function help${at}(input) {
  let total = 0;
${body}
  return total + input;
}
export function register(server) {
  server.registerTool('tool-${at}', { inputSchema: {} }, async ({ word }) => exec('echo ' + help${other}(word)));
}
`;
    writeFileSync(join(folder, `file-${at}.js`), text);
  }
}

export async function measureScan({ runtimeFolder }: { runtimeFolder: string }): Promise<readonly Result[]> {
  const home = join(runtimeFolder, 'scan-home');
  const sources = join(runtimeFolder, 'many');
  writeSources(sources);
  const many = await scan([sources, '--offline'], home);
  const results: Result[] = [
    { name: `scan of ${files} files`, value: many.seconds, unit: 's', bar: 60, detail: `exit ${many.code}` },
    { name: '… its memory', value: many.peakMebibytes, unit: 'MiB', bar: 1024, detail: 'all processes together' },
  ];
  const cold = await scan([published], home);
  if (cold.code !== 0 && cold.code !== 1 && cold.code !== 3) return results;
  const warm: number[] = [];
  for (let round = 0; round < rounds; round += 1) warm.push((await scan([published], home)).seconds);
  results.push({
    name: 'scan of a server and 128 packages',
    value: median(warm),
    unit: 's',
    bar: 5,
    detail: `warm cache, median of ${rounds}; ${cold.seconds.toFixed(1)} s with a cold one`,
  });
  return results;
}
