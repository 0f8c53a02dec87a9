import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describeError, HostError, isKnownError, TargetError, UsageError } from '../../../base/errors.ts';
import { mebibyte } from '../../../base/limits.ts';
import { reportVersion, type Subject } from '../../../base/report-schema.ts';
import { applyBaseline } from '../../../evidence/baseline.ts';
import { applyInline } from '../../../evidence/inline-suppression.ts';
import type { Ingested } from '../../../targets/ingest/contract.ts';
import { ingest } from '../../../targets/ingest/ingest.ts';
import type { ParsedTarget } from '../../../targets/ingest/target/contract.ts';
import type { Inspected } from '../inspect/contract.ts';
import { inspectMetadata, readCapture, type ServerMetadata } from '../inspect/metadata/index.ts';
import { readText } from '../inspect/read-file.ts';
import { archiveFindings } from './archive-findings.ts';
import type { ScanContext, Scanned } from './contract.ts';
import { checkOf, describeIssues, lookAtCapabilities, lookAtFlows, lookForSecrets } from './inspect-code.ts';
import { lookAtSupply } from './inspect-supply.ts';
import type { Plan, PlannedTarget } from './plan.ts';

/** From targets to a report. Nothing of a target is executed on the way. */

export interface ScannedTarget {
  readonly subject: Subject;
  readonly bom: object | null;
  readonly metadata: readonly ServerMetadata[];
}

const dependencyFolder = /(?:^|\/)(?:node_modules|site-packages)\//;

export function targetOf({ spec, target }: PlannedTarget, resolved?: Ingested['resolved']): Subject['target'] {
  const shown = { kind: target.kind, spec: spec.slice(0, 4096) };
  if (resolved?.version === undefined) return shown;
  const { name, version, integrity } = resolved;
  return { ...shown, resolved: { name, version, ...(integrity === undefined ? {} : { integrity }) } };
}

/** A target that cannot be looked at is a subject too, with nothing known about it. */
function unknownSubject(planned: PlannedTarget, because: string): ScannedTarget {
  const check = checkOf('ingest', 'Getting the files', {}, because);
  return {
    subject: { target: targetOf(planned), findings: [], suppressed: [], checks: [check] },
    bom: null,
    metadata: [],
  };
}

const largestCaptureBytes = 32 * mebibyte;

async function readJsonFile(path: string): Promise<unknown> {
  try {
    const text = await readFile(path, 'utf8');
    if (text.length > largestCaptureBytes) throw new UsageError('it is too large for a list of tools');
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`cannot read ${JSON.stringify(path)}: ${describeError(cause)}`, { cause });
  }
}

async function scanCapture(planned: PlannedTarget, path: string): Promise<ScannedTarget> {
  const metadata = readCapture(await readJsonFile(path), basename(path));
  if (metadata === undefined) throw new UsageError(`${JSON.stringify(path)} holds no list of tools`);
  const { findings, issues, data } = inspectMetadata([metadata]);
  const facts = { tools: data.servers[0]?.tools ?? 0 };
  return {
    subject: {
      target: targetOf(planned),
      findings: [...findings],
      suppressed: [],
      checks: [checkOf('metadata', 'What tools say about themselves', facts, describeIssues(issues))],
    },
    bom: null,
    metadata: [metadata],
  };
}

/** The files of a target that was brought here already. */
export async function scanFiles(
  planned: PlannedTarget,
  ingested: Ingested,
  context: ScanContext,
): Promise<ScannedTarget> {
  const inspected: Inspected = { root: ingested.folder, files: ingested.files.map(({ path }) => path) };
  const own: Inspected = { ...inspected, files: inspected.files.filter((path) => !dependencyFolder.test(path)) };
  context.onProgress(`${ingested.resolved.name}: reading ${own.files.length} files`);
  // Flows and capabilities have processes of their own, and the supply mostly waits for others.
  const [flows, capabilities, supply] = await Promise.all([
    lookAtFlows(own),
    lookAtCapabilities(own),
    lookAtSupply(inspected, ingested, context),
  ]);
  const secrets = lookForSecrets(own);
  const whole = ingested.isComplete ? undefined : 'a limit or a broken archive left something out';
  const all = [
    ...archiveFindings(ingested),
    ...flows.findings,
    ...capabilities.findings,
    ...secrets.findings,
    ...supply.findings,
  ];
  const isOwn = planned.target.kind === 'folder';
  const inline = isOwn ? applyInline(all, linesOf(inspected)) : { findings: all, suppressed: [] };
  const accepted = applyBaseline(inline.findings, context.baseline);
  return {
    subject: {
      target: targetOf(planned, ingested.resolved),
      findings: [...accepted.findings],
      suppressed: [...inline.suppressed, ...accepted.suppressed],
      checks: [
        checkOf(
          'ingest',
          'Getting the files',
          { files: ingested.files.length, from: ingested.origin.slice(0, 1000) },
          whole,
        ),
        ...flows.checks,
        ...capabilities.checks,
        ...secrets.checks,
        ...supply.checks,
      ],
    },
    bom: supply.bom,
    metadata: [],
  };
}

function linesOf({ root }: Inspected): (path: string) => readonly string[] | null {
  const known = new Map<string, readonly string[] | null>();
  return (path) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const read = readText(root, path);
    const lines = 'problem' in read ? null : read.text.split('\n');
    known.set(path, lines);
    return lines;
  };
}

function captureOf(target: ParsedTarget): string | null {
  return target.kind === 'file' && target.format === 'tool-list' ? target.path : null;
}

async function scanOne(planned: PlannedTarget, context: ScanContext): Promise<ScannedTarget> {
  const capture = captureOf(planned.target);
  if (capture !== null) return scanCapture(planned, capture);
  context.onProgress(`${planned.spec}: getting the files`);
  const ingested = await ingest(planned.target, context);
  try {
    return await scanFiles(planned, ingested, context);
  } finally {
    await ingested.close();
  }
}

/** What a target does wrong is data; what this machine cannot do now is told of the one target, unless it is the only one. */
async function scanSafely(planned: PlannedTarget, context: ScanContext, isOnly: boolean): Promise<ScannedTarget> {
  try {
    return await scanOne(planned, context);
  } catch (error) {
    const isData =
      error instanceof TargetError || (error instanceof HostError && !isOnly) || (isKnownError(error) && !isOnly);
    if (isData) return unknownSubject(planned, describeError(error));
    throw error;
  }
}

/** What servers can do together that none can do alone. */
function lookTogether(scanned: readonly ScannedTarget[]): Subject | null {
  const servers = scanned.flatMap(({ metadata }) => metadata);
  if (servers.length < 2) return null;
  const known = new Set(scanned.flatMap(({ subject }) => subject.findings.map(({ id }) => id)));
  const { findings } = inspectMetadata(servers);
  return {
    target: { kind: 'config', spec: `all ${servers.length} servers together` },
    findings: findings.filter(({ id }) => !known.has(id)),
    suppressed: [],
    checks: [checkOf('together', 'What servers can do together', { servers: servers.length })],
  };
}

export async function scan(plan: Plan, context: ScanContext): Promise<Scanned> {
  const startedAt = performance.now();
  const scanned: ScannedTarget[] = [];
  for (const planned of plan.targets) scanned.push(await scanSafely(planned, context, plan.targets.length === 1));
  const together = lookTogether(scanned);
  const subjects = [...scanned.map(({ subject }) => subject), ...(together === null ? [] : [together])];
  return {
    report: {
      format: 'hotcell-report',
      version: reportVersion,
      instrument: 'scan',
      tool: { name: 'hotcell', version: context.toolVersion },
      startedAt: context.now.toISOString(),
      durationMs: Math.round(performance.now() - startedAt),
      isComplete: subjects.every(({ checks }) => checks.every(({ is }) => is !== 'unknown')),
      subjects,
    },
    boms: [...scanned.map(({ bom }) => bom), ...(together === null ? [] : [null])],
  };
}

/** Where the scanner makes its folders below the settings' home. */
export function scanFolders(home: string): { readonly cacheFolder: string; readonly workFolder: string } {
  return { cacheFolder: join(home, 'cache'), workFolder: join(home, 'work') };
}
