import type { Finding } from '../../../base/finding-schema.ts';
import { applyBaseline } from '../../../evidence/baseline.ts';
import type { Ingested } from '../../../targets/ingest/contract.ts';
import { ingest } from '../../../targets/ingest/ingest.ts';
import { planInstall } from '../../../targets/install/index.ts';
import { type Knowledge, readKnowledge } from '../interrogate/arguments/index.ts';
import type { Detonated } from '../interrogate/detonate/contract.ts';
import { detonate } from '../interrogate/detonate/detonate.ts';
import { suspicionOf } from '../judge/index.ts';
import { type PlannedTarget, type ScannedTarget, scanFiles, targetOf } from '../scan/index.ts';
import { type Composition, compose } from './compose.ts';
import type { Analysed, AnalyzeContext } from './contract.ts';
import { detectorContext } from './detector-context.ts';
import { detonationPolicy } from './detonation-policy.ts';
import { findAll } from './find.ts';
import { learnFrom } from './learn.ts';
import { comparePin } from './pin.ts';
import { tellStoryOf } from './story.ts';

/** From a target to its report. Inspection goes on beside the box; the trials wait for what it suspects. */

interface Work {
  readonly planned: PlannedTarget;
  readonly context: AnalyzeContext;
  readonly ingested: Ingested;
  readonly knowledge: Knowledge;
}

type Likely = readonly { readonly tool: string; readonly class: string; readonly parameter?: string }[];

function likelyOf(findings: readonly Finding[]): Likely {
  return findings.flatMap((finding) => {
    const suspicion = suspicionOf(finding);
    if (suspicion?.tool === undefined) return [];
    const { tool, parameter } = suspicion;
    return [{ tool, class: suspicion.class, ...(parameter === undefined ? {} : { parameter }) }];
  });
}

function commandOf({ target }: PlannedTarget) {
  return target.kind === 'command' ? { command: { argv: target.argv, args: target.args } } : {};
}

async function letLoose({ planned, context, ingested, knowledge }: Work, likely: Promise<Likely>): Promise<Detonated> {
  const { wishes, scan, box, folder, signal, onProgress } = context;
  onProgress({ kind: 'stage', stage: 'fetch' });
  const install = await planInstall(ingested, scan, { workFolder: `${folder}/install` });
  try {
    onProgress({ kind: 'stage', stage: 'box' });
    return await detonate({
      target: {
        folder: ingested.folder,
        ecosystem: install.ecosystem,
        name: ingested.resolved.name,
        ...(ingested.entry === undefined ? {} : { entry: ingested.entry }),
        ...commandOf(planned),
      },
      install,
      policy: detonationPolicy(wishes),
      box,
      folder,
      wishes,
      knowledge,
      likely,
      signal,
      onProgress,
    });
  } finally {
    await install.close();
  }
}

async function analyseFiles(work: Work, startedAt: Date): Promise<Analysed> {
  const { planned, context, ingested, knowledge } = work;
  const inspecting = scanFiles(planned, ingested, context.scan);
  // Whoever waits for it hears of the failure.
  inspecting.catch(() => undefined);
  const likely = inspecting.then(
    ({ subject }) => likelyOf(subject.findings),
    () => [],
  );
  const detonated = await letLoose(work, likely);
  const scanned = await inspecting;
  context.onProgress({ kind: 'stage', stage: 'judge' });
  return judgeRun({ planned, context, ingested, scanned, detonated, knowledge, startedAt });
}

interface Ended extends Work {
  readonly scanned: ScannedTarget;
  readonly detonated: Detonated;
  readonly startedAt: Date;
}

async function judgeRun(ended: Ended): Promise<Analysed> {
  const { planned, context, ingested, scanned, detonated, knowledge, startedAt } = ended;
  const { folder, scan } = context;
  const { name } = ingested.resolved;
  const detectors = await detectorContext(ingested, detonated, context);
  const target = targetOf(planned, ingested.resolved);
  const pinned = await comparePin(target, detonated, context.pinFolder);
  const known = {
    ...detonated,
    listings: [...detonated.listings, ...pinned.listings],
    findings: [...detonated.findings, ...pinned.findings],
  };
  const found = await findAll({
    name,
    folder,
    inspected: scanned.subject.findings,
    detonated: known,
    context: detectors,
  });
  const accepted = applyBaseline(found.findings, scan.baseline);
  for (const finding of accepted.findings) context.onProgress({ kind: 'finding', finding });
  const story = await tellStoryOf(detonated, folder, detectors);
  const composition: Composition = {
    target,
    startedAt,
    toolVersion: scan.toolVersion,
    checks: scanned.subject.checks,
    findings: accepted.findings,
    suppressed: [...scanned.subject.suppressed, ...accepted.suppressed],
    found,
    detonated: known,
    learnt: await learnFrom(detonated, folder, name, detectors.trialHosts, story.hosts),
    story,
    knowledge,
    folder,
  };
  return { report: compose(composition), bom: scanned.bom, folder };
}

export async function analyze(planned: PlannedTarget, context: AnalyzeContext): Promise<Analysed> {
  const startedAt = new Date();
  if (planned.target.kind === 'remote') {
    const { analyzeRemote } = await import('./analyze-remote.ts');
    return analyzeRemote(planned, planned.target.url, context, startedAt);
  }
  context.onProgress({ kind: 'stage', stage: 'inspect' });
  const ingested = await ingest(planned.target, context.scan);
  try {
    return await analyseFiles({ planned, context, ingested, knowledge: readKnowledge() }, startedAt);
  } finally {
    await ingested.close();
  }
}
