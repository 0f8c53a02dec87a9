import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadSettings, readLabOptions } from '../src/doors/settings/index.ts';
import { analyseSample } from '../src/instruments/lab/analysis/analyse.ts';
import { look } from '../src/instruments/lab/analysis/look.ts';
import { Lab } from '../src/instruments/lab/lab.ts';
import { peSamples } from '../test/samples/lab/pe/samples.ts';
import { median } from './machine.ts';
import { introduce, openPipe } from './mcp-pipe.ts';
import type { Result } from './result.ts';

/** The lab as an agent meets it: the first answer, the hashes of a large file, a quick look, and how much runs side by side. */

const program = fileURLToPath(new URL('../bin/hotcell', import.meta.url));
const rounds = 5;
const largeBytes = 50 * 1024 * 1024;
const peBytes = 1024 * 1024;

async function measureStart(home: string): Promise<Result> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    const pipe = openPipe(program, ['lab'], { HOTCELL_HOME: home });
    await introduce(pipe);
    await pipe.request('tools/call', { name: 'extract_iocs', arguments: { text: 'hxxp://a[.]example[.]org/x' } });
    times.push(performance.now() - startedAt);
    await pipe.close();
  }
  return {
    name: 'lab: start to first answer',
    value: median(times),
    unit: 'ms',
    bar: 700,
    detail: `median of ${rounds}`,
  };
}

/** Each round has a file of its own, so that nothing is remembered. */
async function measureHashes(home: string, samples: string): Promise<Result> {
  const [own, bare]: [number[], number[]] = [[], []];
  const pipe = openPipe(program, ['lab'], { HOTCELL_HOME: home, HOTCELL_LAB_SAMPLES_DIR: samples });
  await introduce(pipe);
  const warm = join(samples, 'warm.bin');
  writeFileSync(warm, 'warm');
  await pipe.request('tools/call', { name: 'get_file_info', arguments: { file: 'warm.bin' } });
  for (let round = 0; round < rounds; round += 1) {
    const file = join(samples, `large-${round}.bin`);
    writeFileSync(file, randomBytes(largeBytes));
    let startedAt = performance.now();
    for (const hash of ['sha256sum', 'sha1sum', 'md5sum']) spawnSync(hash, [file]);
    bare.push(performance.now() - startedAt);
    startedAt = performance.now();
    await pipe.request('tools/call', { name: 'get_file_info', arguments: { file: `large-${round}.bin` } });
    own.push(performance.now() - startedAt);
    rmSync(file);
  }
  await pipe.close();
  const detail = `${median(own).toFixed(0)} ms against ${median(bare).toFixed(0)} ms of sha256sum; sha1sum; md5sum`;
  return { name: 'lab: get_file_info of 50 MiB', value: median(own) / median(bare), unit: 'x', bar: 1.3, detail };
}

async function openLab(home: string, environment: Record<string, string>): Promise<Lab> {
  const caller = { environment, folder: home, homeFolder: home, userId: process.getuid?.() ?? 0 };
  return Lab.open(readLabOptions({}, caller, await loadSettings({ home, backend: 'bwrap' }, caller)));
}

function order(file: string, depth: 'quick' | 'standard') {
  return {
    file,
    depth,
    toolTimeoutMs: null,
    passwords: [],
    isDetonated: false,
    detonationSeconds: 1,
    isFresh: true,
    signal: new AbortController().signal,
  };
}

async function measureQuick(home: string, samples: string): Promise<Result> {
  const bytes = peSamples.pe64();
  writeFileSync(join(samples, 'program.exe'), Buffer.concat([bytes, randomBytes(Math.max(0, peBytes - bytes.length))]));
  await using lab = await openLab(home, { HOTCELL_LAB_SAMPLES_DIR: samples });
  // Without any external tool: the bench has none.
  Object.defineProperty(lab, 'programs', { value: async () => new Map() });
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    await analyseSample(lab, order('program.exe', 'quick'));
    times.push(performance.now() - startedAt);
  }
  const detail = `median of ${rounds}, the first ${times[0]?.toFixed(0)} ms; no external tool`;
  return { name: 'lab: quick look at a PE of 1 MiB', value: median(times), unit: 'ms', bar: 1500, detail };
}

/** Against everything one after the other: each analyser, each program, and the joining that nothing can run beside. */
async function measureSideBySide(home: string, samples: string): Promise<Result> {
  copyFileSync('/usr/bin/perl', join(samples, 'perl.elf'));
  await using lab = await openLab(home, { HOTCELL_LAB_SAMPLES_DIR: samples });
  const wish = order('perl.elf', 'standard');
  await analyseSample(lab, wish);
  const shares: number[] = [];
  let detail = '';
  for (let round = 0; round < rounds; round += 1) {
    const sample = await lab.samples.read('perl.elf');
    const startedAt = performance.now();
    await look(lab, sample, wish);
    const lookedMs = performance.now() - startedAt;
    const report = await analyseSample(lab, wish);
    const parts = [...report.analysers, ...report.tools];
    const joiningMs = Math.max(0, report.elapsed_ms - lookedMs);
    const sum = parts.reduce((total, { elapsed_ms: ms }) => total + ms, joiningMs);
    shares.push(report.elapsed_ms / sum);
    detail = `${report.elapsed_ms} ms for ${parts.length} parts, ${report.tools.length} of them programs, and joining: ${sum.toFixed(0)} ms in all`;
  }
  return { name: 'lab: standard depth, wall to sum', value: median(shares), unit: 'x', bar: 0.6, detail };
}

export async function measureLab(): Promise<readonly Result[]> {
  const root = mkdtempSync(join(tmpdir(), 'hotcell-bench-lab-'));
  chmodSync(root, 0o711);
  const [home, samples] = [join(root, 'home'), join(root, 'samples')];
  mkdirSync(samples, { recursive: true });
  try {
    return [
      await measureStart(home),
      await measureHashes(home, samples),
      await measureQuick(home, samples),
      await measureSideBySide(home, samples),
    ];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
