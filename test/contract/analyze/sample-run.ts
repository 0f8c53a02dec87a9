import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Analysis } from '../../../src/base/analysis-schema.ts';
import { evidenceClasses, type Finding } from '../../../src/base/finding-schema.ts';
import type { BackendId } from '../../../src/engine/box/index.ts';
import { readBudgets } from '../../../src/instruments/analyze/interrogate/trials/index.ts';
import type { AnalyzeWishes } from '../../../src/instruments/analyze/run/contract.ts';
import { analyze } from '../../../src/instruments/analyze/run/index.ts';
import { budgetTimes, usualWishes } from '../../../src/instruments/analyze/run/wishes.ts';
import { planScan, type ScanContext } from '../../../src/instruments/analyze/scan/index.ts';
import { folderOf, type SampleServer } from '../../samples/servers/sample-servers.ts';

/** One sample server, analysed as a user would have it analysed: as a folder, with nobody to ask for advisories. */

export interface SampleRun {
  readonly findings: readonly Finding[];
  readonly analysis: Analysis;
  readonly seconds: number;
}

export interface RunPlaces {
  readonly backend: BackendId;
  readonly runtimeFolder: string;
  /** For what is made on the way. */
  readonly folder: string;
}

/** The least that shows it: trials of every kind for one with a weak argument, and time for one that waits. */
function wishesFor({ needs, trigger }: SampleServer): AnalyzeWishes {
  const { waitSeconds = 0 } = needs;
  return {
    ...usualWishes,
    budget: 'quick',
    mostMs: budgetTimes.quick.mostMs,
    patienceMs: budgetTimes[waitSeconds > 0 ? 'standard' : 'quick'].patienceMs,
    ...(trigger.argument === null ? {} : { trialsPerPosition: readBudgets().standard.perPosition }),
    seed: 'samples',
  };
}

export async function analyseSample(sample: SampleServer, places: RunPlaces): Promise<SampleRun> {
  const { backend, runtimeFolder, folder } = places;
  const own = join(folder, sample.id);
  mkdirSync(own, { recursive: true });
  const environment = { PATH: process.env.PATH ?? '' };
  const scan: ScanContext = {
    cwd: folder,
    home: join(folder, 'home'),
    environment,
    cacheFolder: join(folder, 'cache'),
    workFolder: join(folder, 'work'),
    isOffline: true,
    now: new Date(),
    toolVersion: '0.0.0',
    baseline: { format: 'hotcell-baseline', version: 1, findings: [] },
    resolvesDependencies: true,
    onProgress: () => undefined,
    sources: [],
  };
  const [planned] = (
    await planScan([folderOf(sample)], [], { cwd: folder, home: scan.home, platform: 'linux', environment })
  ).targets;
  if (planned === undefined) throw new Error(`${sample.id} is no target`);
  const from = performance.now();
  const { report } = await analyze(planned, {
    scan,
    wishes: wishesFor(sample),
    box: { backend, runtimeFolder },
    folder: own,
    pinFolder: null,
    signal: AbortSignal.timeout(120_000),
    onProgress: () => undefined,
  });
  const seconds = (performance.now() - from) / 1000;
  const [subject] = report.subjects;
  if (subject?.analysis === undefined) throw new Error(`${sample.id} has no analysis`);
  return { findings: subject.findings, analysis: subject.analysis, seconds };
}

/** Of the findings that a sample is to be named by, those that were found. */
export function namedBy({ named = [] }: SampleServer, findings: readonly Finding[]): readonly Finding[] {
  const rank = ({ evidenceClass }: Pick<Finding, 'evidenceClass'>): number => evidenceClasses.indexOf(evidenceClass);
  return findings.filter((finding) =>
    named.some((wanted) => wanted.rule === finding.rule && rank(finding) <= rank(wanted)),
  );
}

/** Short, for a failure that says what was found instead. */
export function shown(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ severity, evidenceClass, rule, title }) => `${severity} ${evidenceClass} ${rule}: ${title}`);
}
