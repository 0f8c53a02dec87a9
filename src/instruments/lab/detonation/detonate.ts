import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Readable } from 'node:stream';
import { describeError, HostError } from '../../../base/errors.ts';
import type { Event } from '../../../base/event-schema.ts';
import type { Finding } from '../../../base/finding-schema.ts';
import { kibibyte, secondMs } from '../../../base/limits.ts';
import type { Policy } from '../../../base/policy-schema.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import { Cell } from '../../../engine/cell/index.ts';
import { gather } from '../../../engine/connector/index.ts';
import { tierPolicy } from '../../../engine/policy/index.ts';
import { runDetectors } from '../../../evidence/detectors/index.ts';
import type { Kind, LabFinding } from '../contract.ts';
import { extractIndicators } from '../indicators/index.ts';
import type { LabOptions } from '../options.ts';
import type { Detonation } from '../report/schema.ts';
import { safeName } from '../samples/paths.ts';
import { planLaunch } from './launch.ts';
import { TimelineKeeper } from './timeline.ts';

/** Runs a sample in a cell of gVisor with decoys and a fake internet around it, and tells what it did. Never anywhere else. */

const mostEvents = 100_000;
const shownBytes = 16 * kibibyte;
export const usualSeconds = 20;

export interface DetonationOrder {
  readonly bytes: Uint8Array;
  readonly name: string;
  readonly kind: Kind;
  readonly sha256: string;
  readonly seconds: number;
  readonly options: Pick<LabOptions, 'runtimeFolder' | 'dockerSocket' | 'homeFolder'>;
  readonly signal: AbortSignal;
}

export interface Detonated {
  readonly detonation: Detonation;
  readonly findings: readonly LabFinding[];
  /** Names and addresses it asked for, as text for the search for indicators. */
  readonly contacted: string;
}

function policyFor(seconds: number): Policy {
  const policy = tierPolicy('CRITICAL');
  return {
    ...policy,
    name: 'lab-detonation',
    // Software and data of the machine that are not the system's are nobody's business here.
    files: policy.files.filter(({ path }) => path !== '/opt' && path !== '/srv'),
    network: { mode: 'fake', rules: [] },
    limits: { ...policy.limits, wallMs: seconds * secondMs },
  };
}

function nothing(status: Detonation['status'], because: string): Detonated {
  const detonation: Detonation = {
    status,
    because,
    backend: null,
    run: null,
    command: [],
    exit_code: null,
    elapsed_ms: 0,
    is_complete: false,
    gaps: [],
    timeline: [],
    event_counts: {},
    stdout: '',
    stderr: '',
  };
  return { detonation, findings: [], contacted: '' };
}

function keep(stream: Readable): () => string {
  const output = gather(shownBytes, () => {});
  stream.on('data', output.take);
  stream.on('error', () => {});
  return () => {
    const { droppedBytes } = output;
    return forTerminal({ ...untrusted(output.kept(), shownBytes), droppedBytes }, { keepLines: true });
  };
}

const searchedBytes = 256 * kibibyte;

/** Hosts that stand in the sample as they are: talking to those is no surprise. */
function namedHosts(bytes: Uint8Array): readonly string[] {
  const text = Buffer.from(bytes.subarray(0, searchedBytes)).toString('latin1');
  const { indicators } = extractIndicators(text, {
    types: ['domain', 'ipv4', 'ipv6'],
    includeNoise: true,
    limit: 1000,
  });
  return [...new Set(indicators.map(({ value }) => value.toLowerCase()))];
}

function excerptOf(excerpt: Finding['evidence'][number]['excerpt']): string {
  return 'text' in excerpt ? excerpt.text : Buffer.from(excerpt.base64, 'base64').toString('latin1');
}

/** What the kernel saw is conduct and no guess; what it was for, events do not say. */
function toLabFinding(finding: Finding): LabFinding {
  return {
    rule: `detonation.${finding.rule.replaceAll('/', '.')}`,
    title: finding.title,
    severity: finding.severity,
    evidenceType: 'behaviour',
    evidence: finding.evidence
      .slice(0, 10)
      .map(({ ref, excerpt }) => ({ where: ref, text: excerptOf(excerpt).slice(0, 400) })),
    benign: 'Seen in a cell: installers, updaters and administration scripts can do the same for good reasons.',
    ...(finding.attack === undefined ? {} : { attack: finding.attack }),
  };
}

const contactKinds = new Set(['dns-query', 'http-request', 'connect', 'tls-hello']);

export async function detonate(order: DetonationOrder): Promise<Detonated> {
  const { bytes, name, kind, sha256, seconds, options, signal } = order;
  const planned = planLaunch(kind, bytes, '');
  if ('because' in planned) return nothing('not-applicable', planned.because);
  const run = `lab-${sha256.slice(0, 12)}-${randomBytes(4).toString('hex')}`;
  const folder = join(options.homeFolder, 'runs', run);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const timeline = new TimelineKeeper();
  const events: Event[] = [];
  let cell: Cell;
  try {
    cell = await Cell.open(policyFor(seconds), {
      folder,
      backend: 'gvisor',
      runtimeFolder: options.runtimeFolder,
      dockerSocket: options.dockerSocket,
      onEvents: (seen) => {
        for (const event of seen) {
          timeline.see(event);
          if (events.length < mostEvents) events.push(event);
        }
      },
    });
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return nothing('failed', `no cell of gVisor could be made, and nothing weaker is used: ${describeError(error)}`);
  }
  const started = performance.now();
  try {
    const { work, home, tmp } = cell.box.folders;
    const file = posix.join(work, safeName(name));
    const launch = planLaunch(kind, bytes, file);
    const argv = 'argv' in launch ? launch.argv : [];
    await cell.box.put(file, bytes, 0o755);
    await cell.enter('use');
    const child = await cell.spawn(argv, { cwd: work, signal });
    child.stdin.on('error', () => {});
    child.stdin.end();
    const stdout = keep(child.stdout);
    const stderr = keep(child.stderr);
    const status = await child.exited;
    const elapsed = performance.now() - started;
    const complete = await cell.close();
    signal.throwIfAborted();
    const found = await runDetectors(events, {
      folders: { home, work, tmp },
      ownFolders: [work],
      declaredHosts: namedHosts(bytes),
      registryHosts: [],
      trialHosts: [],
      givenPaths: [file],
      argv,
    });
    const entries = timeline.entries;
    const ended = status.code === null ? `signal ${status.signal ?? '?'}` : `code ${status.code}`;
    return {
      detonation: {
        status: 'done',
        because: `started in a cell of gVisor with decoys and a fake internet; it ended with ${ended} after ${Math.round(elapsed)} ms.`,
        backend: cell.box.record.backend,
        run,
        command: [...argv],
        exit_code: status.code,
        elapsed_ms: Math.round(elapsed),
        is_complete: complete.isComplete,
        gaps: [
          ...complete.sensors.flatMap(({ source, missingPoints }) =>
            missingPoints.map((point) => `${source}: ${point}`),
          ),
          ...(timeline.left > 0 ? [`${timeline.left} further events have no line here; all are in the run`] : []),
          ...status.limitsHit.map(({ limit, detail }) => `limit reached: ${limit}, ${detail}`),
        ].slice(0, 64),
        timeline: entries,
        event_counts: timeline.counts,
        stdout: stdout(),
        stderr: stderr(),
      },
      findings: found.map(toLabFinding),
      contacted: entries
        .filter(({ kind: what }) => contactKinds.has(what))
        .map(({ text }) => text)
        .join('\n'),
    };
  } finally {
    await cell.close();
  }
}
