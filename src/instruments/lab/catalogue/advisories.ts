import { z } from 'zod';
import { readRules } from '../../../base/rules-folder.ts';
import type { AnalyserResult, AnalyserRun, Facts, Kind } from '../contract.ts';
import { kindIds } from '../kinds.ts';

/** What has to be done before a result may be believed: conditions over results, as data. */

const conditionSchema = z.strictObject({
  tool: z.string().exactOptional(),
  analyser: z.string().exactOptional(),
  exitCodes: z.array(z.number().int()).exactOptional(),
  statuses: z.array(z.string()).exactOptional(),
  /** With `matches`: a fact of the tool or analyser, as JSON. */
  fact: z.string().exactOptional(),
  matches: z.string().exactOptional(),
  /** A line of the tool's output. */
  line: z.string().exactOptional(),
  /** Rules of findings, of analysers and tools alike. */
  rules: z.array(z.string()).exactOptional(),
  kinds: z.array(z.enum(kindIds)).exactOptional(),
  innerKinds: z.array(z.enum(kindIds)).exactOptional(),
  hasInner: z.boolean().exactOptional(),
  isPolyglot: z.boolean().exactOptional(),
  hasNameMismatch: z.boolean().exactOptional(),
  analyserStatuses: z.array(z.string()).exactOptional(),
  toolStatuses: z.array(z.string()).exactOptional(),
  /** A note of an analyser, which are ours and hold no text of a sample. */
  note: z.string().exactOptional(),
});
type Condition = z.output<typeof conditionSchema>;

const fileSchema = z.strictObject({
  advisories: z.array(
    z.strictObject({
      id: z.string(),
      priority: z.number().int().min(1).max(10),
      issue: z.string().max(300),
      remediation: z.string().max(400),
      when: z.strictObject({
        all: z.array(conditionSchema).exactOptional(),
        any: z.array(conditionSchema).exactOptional(),
      }),
    }),
  ),
});

export interface AdviceInput {
  readonly kind: Pick<Kind, 'id' | 'nameMismatch' | 'also'>;
  readonly runs: readonly AnalyserRun[];
  readonly tools: readonly {
    readonly run: { readonly id: string; readonly status: string; readonly exit_code: number | null };
    readonly result: Pick<AnalyserResult, 'facts' | 'findings'>;
    readonly stdout: Uint8Array;
  }[];
  readonly inner: readonly { readonly kind: Pick<Kind, 'id'>; readonly runs: readonly AnalyserRun[] }[];
}

export interface Advice {
  readonly priority: number;
  readonly issue: string;
  readonly remediation: string;
}

const mostLineBytes = 4 * 1024 * 1024;

function hasLine(stdout: Uint8Array, pattern: string): boolean {
  const form = new RegExp(pattern);
  const text = Buffer.from(stdout.subarray(0, mostLineBytes)).toString('utf8');
  return text.split('\n').some((line) => form.test(line.slice(0, 2000)));
}

function factMatches(facts: Facts, { fact, matches }: Condition): boolean {
  if (fact === undefined || matches === undefined) return true;
  const value = facts[fact];
  return (
    value !== undefined && value !== null && new RegExp(matches, 'i').test(JSON.stringify(value).slice(0, 100_000))
  );
}

/** Each part of a condition that is given has to hold. */
const parts: readonly ((condition: Condition, input: AdviceInput) => boolean)[] = [
  (condition, { tools }) => {
    const { tool, exitCodes, statuses, line } = condition;
    if (tool === undefined) return true;
    return tools.some(
      ({ run, result, stdout }) =>
        run.id === tool &&
        (exitCodes === undefined || exitCodes.includes(run.exit_code ?? -1)) &&
        (statuses === undefined || statuses.includes(run.status)) &&
        factMatches(result.facts, condition) &&
        (line === undefined || hasLine(stdout, line)),
    );
  },
  (condition, { runs }) =>
    condition.analyser === undefined ||
    runs.some(({ analyser, result }) => analyser === condition.analyser && factMatches(result.facts, condition)),
  ({ rules }, { runs, tools }) =>
    rules === undefined ||
    [...runs, ...tools].some(({ result }) => result.findings.some(({ rule }) => rules.includes(rule))),
  ({ kinds }, { kind }) => kinds === undefined || kinds.includes(kind.id),
  ({ innerKinds }, { inner }) =>
    innerKinds === undefined ||
    inner.some(
      ({ kind, runs }) => innerKinds.includes(kind.id) && runs.every(({ result }) => result.children.length === 0),
    ),
  ({ hasInner }, { inner }) => hasInner === undefined || inner.length > 0 === hasInner,
  ({ isPolyglot }, { kind }) => isPolyglot === undefined || (kind.also ?? []).length > 0 === isPolyglot,
  ({ hasNameMismatch }, { kind }) =>
    hasNameMismatch === undefined || (kind.nameMismatch !== undefined) === hasNameMismatch,
  ({ analyserStatuses }, { runs, inner }) =>
    analyserStatuses === undefined ||
    [...runs, ...inner.flatMap((one) => one.runs)].some(({ status }) => analyserStatuses.includes(status)),
  ({ toolStatuses }, { tools }) =>
    toolStatuses === undefined || tools.some(({ run }) => toolStatuses.includes(run.status)),
  ({ note }, { runs }) =>
    note === undefined ||
    runs.some(({ result }) => result.notes.some((text) => new RegExp(note).test(text.slice(0, 2000)))),
];

/** Most pressing first. */
export function adviseOn(input: AdviceInput): readonly Advice[] {
  const holds = (condition: Condition): boolean => parts.every((part) => part(condition, input));
  return readRules('lab/advisories.json', fileSchema)
    .advisories.filter(({ when: { all, any } }) => (all ?? []).every(holds) && (any === undefined || any.some(holds)))
    .toSorted((left, right) => right.priority - left.priority)
    .map(({ priority, issue, remediation }) => ({ priority, issue, remediation }));
}

const triageSchema = z.strictObject({
  signals: z.array(
    z.strictObject({
      id: z.string(),
      kind: z.enum(['installer', 'runtime', 'protector', 'packer']),
      title: z.string(),
      matches: z.string(),
    }),
  ),
});

export interface TriageSignal {
  readonly id: string;
  readonly kind: 'installer' | 'runtime' | 'protector' | 'packer';
  readonly title: string;
  /** Which analysers and tools say so. */
  readonly sources: readonly string[];
}

/** The values in which tools name how a program was built. */
const namingFacts = ['packer', 'packers', 'installers', 'compilers', 'compiler', 'detections', 'language'];

/** How the program was wrapped, by whoever named it. */
export function triageSignals(input: Pick<AdviceInput, 'runs' | 'tools'>): readonly TriageSignal[] {
  const sources = [
    ...input.runs.map(({ analyser, result }) => ({ source: analyser, facts: result.facts })),
    ...input.tools.map(({ run, result }) => ({ source: run.id, facts: result.facts })),
  ].map(({ source, facts }) => ({
    source,
    text: namingFacts
      .map((name) => (facts[name] === undefined ? '' : JSON.stringify(facts[name])))
      .join('\n')
      .slice(0, 20_000),
  }));
  return readRules('lab/triage.json', triageSchema).signals.flatMap(({ matches, ...signal }) => {
    const form = new RegExp(matches, 'i');
    const saying = sources.filter(({ text }) => form.test(text)).map(({ source }) => source);
    return saying.length === 0 ? [] : [{ ...signal, sources: [...new Set(saying)] }];
  });
}
