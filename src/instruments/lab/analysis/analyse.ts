import { kibibyte } from '../../../base/limits.ts';
import { adviseOn, hintsFor, playbookFor } from '../catalogue/index.ts';
import type { Lab } from '../lab.ts';
import type { LabReport } from '../report/schema.ts';
import { hashBytes, type SampleHashes } from '../samples/hashes.ts';
import type { HeldSample } from '../samples/room.ts';
import { cacheKey } from './cache-key.ts';
import { gatherIndicators } from './indicators.ts';
import { fuzzyHashes, innerRecord, sourcedFindings, textsOf } from './join.ts';
import { type Looked, look } from './look.ts';
import type { AnalyseOrder } from './order.ts';
import { drawPicture } from './picture.ts';
import { readableTexts } from './readable-texts.ts';
import { gatherFindings } from './report-findings.ts';
import { saveDocument, saveInner, saveOutputs } from './save.ts';
import { summarise } from './summary.ts';

export type { AnalyseOrder } from './order.ts';

/** Everything that can be said of one sample, joined into one report. */

const usualOutputBytes = 40 * kibibyte;

function describeFile(lab: Lab, sample: HeldSample, hashes: SampleHashes, { kind }: Looked): LabReport['file'] {
  const origins = lab.samples.originsOf(hashes.sha256);
  return {
    name: sample.name,
    path: sample.path,
    place: lab.connector.place,
    size_bytes: sample.sizeBytes,
    ...hashes,
    kind: { ...kind },
    origins: origins.map(({ how, parent, originalName, at }) => ({ how, parent, original_name: originalName, at })),
  };
}

function describeAnalysers({ runs }: Looked): LabReport['analysers'] {
  return runs.map(({ analyser, version, status, elapsedMs, result }) => ({
    id: analyser,
    version,
    status,
    elapsed_ms: Math.round(elapsedMs),
    facts: result.facts as LabReport['analysers'][number]['facts'],
    notes: [...result.notes],
  }));
}

function describeNotRun({ notRun, skipped, notes }: Looked, more: readonly string[]): LabReport['not_run'] {
  const deeper = skipped.filter(({ because }) => because.startsWith('runs at depth'));
  return [
    ...notRun,
    ...deeper.map(({ analyser, because }) => ({ id: analyser, because, what_to_do: 'ask for a greater depth' })),
    ...[...notes, ...more].map((because) => ({
      id: 'limits',
      because,
      what_to_do: 'analyse the inner files by themselves, or read the outputs that were saved',
    })),
  ];
}

function advice({ kind, runs, tools, inner }: Looked): LabReport['action_required'] {
  const within = inner.map(({ kind: own, runs: theirs }) => ({ kind: own, runs: theirs }));
  return adviseOn({ kind, runs, tools, inner: within }).map((one) => ({ ...one }));
}

function nextSteps({ kind, runs, tools }: Looked): readonly string[] {
  const facts = [...runs.map(({ result }) => result.facts), ...tools.map(({ result }) => result.facts)];
  return [...hintsFor(facts), ...playbookFor(kind.id)];
}

function measuredEntropy({ runs }: Looked): readonly number[] | null {
  const blocks = runs.find(({ result }) => Array.isArray(result.facts.entropy_blocks))?.result.facts.entropy_blocks;
  if (!Array.isArray(blocks)) return null;
  return blocks.filter((bits) => typeof bits === 'number' && bits >= 0 && bits <= 8);
}

/** What is too long for an answer is laid down beside the samples first, so that the report can say where it is. */
async function saveLong(lab: Lab, sample: HeldSample, looked: Looked, signal: AbortSignal) {
  const save = { room: lab.samples, sha256: sample.sha256, signal };
  const budgets = new Map(lab.catalogue.tools.map(({ id, outputBudgetKiB }) => [id, outputBudgetKiB * kibibyte]));
  const tools = await saveOutputs(looked.tools, (id) => budgets.get(id) ?? usualOutputBytes, save);
  const places = await saveInner(looked.inner, save);
  return { tools, places, save };
}

async function compose(lab: Lab, sample: HeldSample, first: Looked, order: AnalyseOrder) {
  const { signal } = order;
  const { tools, places, save } = await saveLong(lab, sample, first, signal);
  const looked = { ...first, tools };
  const hashes = await hashBytes(sample.bytes);
  const { findings, left } = gatherFindings(sourcedFindings(looked));
  const found = await gatherIndicators(
    textsOf(looked),
    [...Object.values(hashes), ...fuzzyHashes(looked.runs)],
    signal,
  );
  const after = await lab.samples.hashNow(sample.path, signal);
  const parts = {
    file: describeFile(lab, sample, hashes, looked),
    findings: [...findings],
    indicator_counts: found.counts,
    inner_files: looked.inner.map((file) => innerRecord(file, places.get(file.sha256) ?? null)),
    analysers: describeAnalysers(looked),
    tools: tools.map(({ run }) => run),
    not_run: describeNotRun(looked, [...found.notes, ...(left > 0 ? [`${left} further findings`] : [])]),
    detonation: looked.detonated?.detonation ?? null,
  };
  const rest = {
    evidence: { sha256_before: sample.sha256, sha256_after: after, is_unchanged: after === sample.sha256 },
    summary: summarise(parts),
    action_required: advice(looked),
    indicators: found.indicators,
    indicator_noise_count: found.noise,
    next_steps: [...nextSteps(looked)],
    picture: drawPicture(sample.bytes, measuredEntropy(looked)),
    texts: readableTexts(looked.runs),
  };
  return { content: { ...parts, ...rest }, save };
}

export async function analyseSample(lab: Lab, order: AnalyseOrder): Promise<LabReport> {
  const started = performance.now();
  const startedAt = new Date().toISOString();
  const sample = await lab.samples.read(order.file, order.signal);
  const key = await cacheKey(lab, sample, order);
  const known = order.isFresh ? null : await lab.cache.find(key);
  if (known !== null) return { ...known, is_from_cache: true };
  const looked = await look(lab, sample, order);
  order.progress?.('joining', 0.95);
  const { content, save } = await compose(lab, sample, looked, order);
  const report: LabReport = {
    format: 'hotcell-lab-report/1',
    ...content,
    depth: order.depth,
    started_at: startedAt,
    elapsed_ms: Math.round(performance.now() - started),
    is_from_cache: false,
    confinement: lab.workbench.confinement.words,
    mode: 'full',
  };
  const path = await saveDocument('report.json', Buffer.from(JSON.stringify(report, null, 2)), 'report', save);
  const whole = { ...report, next_steps: [...report.next_steps, `The whole report is in ${path}.`] };
  await lab.cache.keep(key, whole);
  return whole;
}
