import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitCodes } from '../src/base/errors.ts';
import type { Finding } from '../src/base/finding-schema.ts';
import type { Report } from '../src/base/report-schema.ts';
import { emptyBaseline } from '../src/evidence/baseline.ts';
import { analyze } from '../src/instruments/analyze/run/index.ts';
import { usualWishes } from '../src/instruments/analyze/run/wishes.ts';
import { planScan, type ScanContext } from '../src/instruments/analyze/scan/index.ts';
import { type CorpusEntry, readCorpus } from './corpus.ts';
import { showShare } from './interval.ts';

/** The whole analysis against the corpus: what is proven, what stays silent, what starts, and how long it takes. */

/** Rules that say of a server what its entry says. */
const rulesOfClass: Readonly<Record<string, RegExp>> = {
  'command-injection': /^(?:weakness|taint)\/(?:command-injection|argument-injection|command-execution|code-eval)/,
  'path-traversal': /^(?:weakness|taint)\/(?:path-|resource-escape)/,
  ssrf: /^(?:weakness|taint)\/ssrf/,
  'sql-injection': /^(?:weakness|taint)\/sql-/,
  dos: /^weakness\/exhaustion/,
};

interface Measured {
  readonly entry: CorpusEntry;
  readonly isStarted: boolean;
  readonly findings: readonly Finding[];
  readonly wallMs: number;
  readonly isComplete: boolean;
  readonly problem: string;
}

const longestMs = 240_000;
const cache = process.env.HOTCELL_EVAL_CACHE ?? join(tmpdir(), 'hotcell-eval');

function line(text: string): void {
  process.stdout.write(`${text}\n`);
}

function scanContext(): ScanContext {
  return {
    cwd: tmpdir(),
    home: homedir(),
    environment: process.env,
    cacheFolder: join(cache, 'cache'),
    workFolder: join(cache, 'work'),
    isOffline: false,
    now: new Date(),
    toolVersion: 'eval',
    baseline: emptyBaseline,
    resolvesDependencies: true,
    sources: [],
    onProgress: () => undefined,
  };
}

async function run(entry: CorpusEntry, backend: 'auto' | 'bwrap' | 'gvisor'): Promise<Report> {
  const folder = mkdtempSync(join(cache, 'run-'));
  const context = { cwd: tmpdir(), home: homedir(), platform: 'linux', environment: process.env } as const;
  const { targets } = await planScan([`npm:${entry.package}@${entry.version}`], [], context);
  const [planned] = targets;
  if (planned === undefined) throw new Error('no target');
  try {
    const { report } = await analyze(planned, {
      scan: scanContext(),
      wishes: usualWishes,
      box: { backend, runtimeFolder: '/run/hotcell' },
      folder,
      pinFolder: null,
      signal: AbortSignal.timeout(longestMs),
      onProgress: () => undefined,
    });
    return report;
  } finally {
    if (process.env.HOTCELL_EVAL_KEEP === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(entry: CorpusEntry, backend: 'auto' | 'bwrap' | 'gvisor'): Promise<Measured> {
  const from = performance.now();
  const done = (part: Omit<Measured, 'entry' | 'wallMs'>): Measured => ({
    entry,
    wallMs: performance.now() - from,
    ...part,
  });
  try {
    const report = await run(entry, backend);
    const [subject] = report.subjects;
    const analysis = subject?.analysis;
    return done({
      isStarted: analysis?.start.isStarted ?? false,
      findings: subject?.findings ?? [],
      isComplete: analysis?.verdict.isComplete ?? false,
      problem: analysis?.start.guess ?? '',
    });
  } catch (error) {
    return done({ isStarted: false, findings: [], isComplete: false, problem: String(error).slice(0, 200) });
  }
}

/** Proven or observed, and nothing that a server is for. */
function firm(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(
    ({ evidenceClass, severity }) => (evidenceClass === 'A' || evidenceClass === 'B') && severity !== 'info',
  );
}

function hits({ findings }: Measured, kind: string): readonly Finding[] {
  const rules = rulesOfClass[kind];
  return rules === undefined ? [] : firm(findings).filter(({ rule }) => rules.test(rule));
}

/** Weaknesses that no tool leads to, or that only the outside world shows, are told and not counted. */
function isReachable(entry: CorpusEntry): boolean {
  return entry.class !== 'info-leak' && !/client side/.test(entry.vulnerable_tool ?? '');
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function reportRecall(all: readonly Measured[]): void {
  const vulnerable = all.filter(({ entry }) => entry.role === 'vulnerable' && isReachable(entry));
  const found = vulnerable.filter((one) => hits(one, one.entry.class).length > 0);
  const packages = [...Map.groupBy(vulnerable, ({ entry }) => entry.package)];
  const whole = packages.filter(([, entries]) => entries.every((one) => found.includes(one)));
  line('\nVulnerable servers with a class A or B finding of the right class (bar: 80 % of packages)');
  line(`  entries:   ${showShare(found.length, vulnerable.length)}`);
  line(`  packages (every listed version): ${showShare(whole.length, packages.length)}`);
  for (const { entry } of vulnerable.filter((one) => !found.includes(one)))
    line(`  missed: ${entry.id} (${entry.class})`);
}

/** Names of the tools that an entry calls weak. */
function toolsOf({ vulnerable_tool = '' }: CorpusEntry): readonly string[] {
  const names = vulnerable_tool.split(';').map((name) => name.trim().split(' ')[0] ?? '');
  return names.filter((name) => /^[\w-]+$/.test(name));
}

/** Of a fixed release: the same class at the same tool. Of any other: every class at every tool. */
function heardOf(one: Measured, vulnerable: CorpusEntry | undefined): readonly Finding[] {
  if (vulnerable === undefined) return firm(one.findings);
  const tools = toolsOf(vulnerable);
  return hits(one, vulnerable.class).filter(({ title }) => tools.some((tool) => title.includes(`"${tool}"`)));
}

function reportSilence(all: readonly Measured[]): void {
  const pairs = new Map(readCorpus().flatMap((entry) => (entry.fixed_id ? [[entry.fixed_id, entry] as const] : [])));
  const quiet = all.filter(({ entry }) => entry.role !== 'vulnerable' && entry.role !== 'by-design-dangerous');
  const loud = quiet.flatMap((one) => {
    const heard = heardOf(one, pairs.get(one.entry.id));
    return heard.length === 0 ? [] : [{ one, heard }];
  });
  line('\nFixed, fixed-only and benign servers without such a finding (bar: 95 %)');
  line(`  servers:   ${showShare(quiet.length - loud.length, quiet.length)}`);
  for (const { one, heard } of loud) {
    for (const { severity, evidenceClass, rule, title } of heard)
      line(`  loud: ${one.entry.id}: ${severity} ${evidenceClass} ${rule} ${title.slice(0, 120)}`);
  }
}

function reportStarts(all: readonly Measured[]): void {
  const startable = all.filter(({ entry }) => String(entry.starts ?? '').startsWith('yes'));
  const started = startable.filter(({ isStarted }) => isStarted);
  line('\nServers that start by hand and start here (bar: 95 %)');
  line(`  entries:   ${showShare(started.length, startable.length)}`);
  const packages = [...Map.groupBy(startable, ({ entry }) => entry.package).values()];
  const whole = packages.filter((versions) => versions.every(({ isStarted }) => isStarted));
  line(`  packages (every listed version): ${showShare(whole.length, packages.length)}`);
  for (const { entry, problem } of startable.filter(({ isStarted }) => !isStarted))
    line(`  not started: ${entry.id}: ${problem}`);
}

export async function evaluateDynamic(words: readonly string[]): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const backend = words.includes('--bwrap') ? 'bwrap' : words.includes('--gvisor') ? 'gvisor' : 'auto';
  const wanted = words.filter((word) => !word.startsWith('--'));
  const entries = readCorpus().filter(({ id }) => wanted.length === 0 || wanted.includes(id));
  const all: Measured[] = [];
  for (const entry of entries) {
    const one = await measure(entry, backend);
    all.push(one);
    const told = [...new Set(firm(one.findings).map(({ evidenceClass, rule }) => `${evidenceClass} ${rule}`))];
    const state = one.isStarted ? (one.isComplete ? '' : ' incomplete') : ` not started: ${one.problem}`;
    line(
      `${entry.role.padEnd(12)} ${entry.id.padEnd(26)} ${(one.wallMs / 1000).toFixed(1).padStart(6)} s${state}  ${told.join(', ')}`,
    );
    const { findings, ...rest } = one;
    appendFileSync(join(cache, 'dynamic.ndjson'), `${JSON.stringify({ ...rest, findings })}\n`);
  }
  reportRecall(all);
  reportSilence(all);
  reportStarts(all);
  line(
    `\nMedian of ${all.length} analyses: ${(median(all.map(({ wallMs }) => wallMs)) / 1000).toFixed(1)} s (bar: 40 s)`,
  );
  line(`Hangs: ${all.filter(({ wallMs }) => wallMs > longestMs).length} (bar: 0)`);
  if (all.length === 0) process.exitCode = exitCodes.usage;
}
