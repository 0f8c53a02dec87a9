import {
  type Evidence,
  type Finding,
  type Location,
  type Severity,
  severities,
} from '../../../../base/finding-schema.ts';
import { excerpt, makeFinding } from '../rule.ts';
import type { HandlerRecord } from './contract.ts';
import type { Hit, ListedTool, Registration } from './engine/observation.ts';
import type { Trace } from './engine/value.ts';
import { type Judgement, judge, type Purpose } from './judge.ts';
import { taintRules } from './rules.ts';
import type { Places, Spot } from './source-map.ts';
import type { Target } from './target.ts';

interface Reporter {
  readonly program: Target;
  readonly places: Places;
}

export interface JudgedHit {
  readonly hit: Hit;
  readonly judgement: Judgement;
}

function rank(severity: Severity): number {
  return severities.indexOf(severity);
}

/** A bundler puts a hash into names; the finding stays the same when it changes. */
export function stablePath(path: string): string {
  return path.replace(/[-.](?=[A-Za-z0-9_]{6,})(?=[A-Za-z0-9_]*[A-Z0-9])[A-Za-z0-9_]{6,12}(?=\.[cm]?[jt]sx?$)/, '-*');
}

/** One finding per way in and way out: the same flow in `src` and in `dist` is told once. */
export function judgeAll(hits: readonly Hit[], purposeOf: (tool: string | undefined) => Purpose): JudgedHit[] {
  const kept = new Map<string, JudgedHit>();
  for (const hit of hits) {
    const judgement = judge(hit, purposeOf(hit.tool));
    if (judgement === undefined || hit.taint.label.startsWith('#')) continue;
    const key = [judgement.rule, hit.tool ?? '', hit.taint.label, hit.callee, hit.function].join('\n');
    const other = kept.get(key);
    if (other === undefined || rank(judgement.severity) > rank(other.judgement.severity))
      kept.set(key, { hit, judgement });
  }
  return withoutGuesses([...kept.values()]);
}

/** "Some argument" adds nothing where the argument is known. */
function withoutGuesses(judged: readonly JudgedHit[]): JudgedHit[] {
  const key = ({ hit, judgement }: JudgedHit) => [judgement.rule, hit.tool, hit.callee, hit.module, hit.at].join('\n');
  const certain = new Set(judged.filter(({ hit }) => hit.taint.label !== '*').map(key));
  return judged.filter((one) => one.hit.taint.label !== '*' || !certain.has(key(one)));
}

function spotOf({ program, places }: Reporter, module: number, at: number): Spot {
  const text = program.textOf(module);
  return places.original(places.spot(program.pathOf(module), text, at), text);
}

const excerptLength = 160;

/** The line, or what stands around the place when a line is a whole program. */
function codeAt({ program }: Reporter, module: number, at: number): string {
  const text = program.textOf(module);
  const start = Math.max(text.lastIndexOf('\n', at) + 1, at - excerptLength / 4);
  const end = text.indexOf('\n', at);
  return text.slice(start, Math.min(end < 0 ? text.length : end, start + excerptLength)).trim();
}

function stepsOf(trace: Trace | undefined): Trace[] {
  const steps: Trace[] = [];
  for (let step = trace; step !== undefined; step = step.before) steps.push(step);
  return steps.reverse();
}

function locationOf(reporter: Reporter, module: number, at: number, step: string): Location {
  const { path, line, column } = spotOf(reporter, module, at);
  return { path, line, column, step: step.slice(0, 512) };
}

function evidenceOf(reporter: Reporter, module: number, at: number): Evidence {
  const { path, line } = spotOf(reporter, module, at);
  return { kind: 'source', ref: `${path}:${line}`, excerpt: excerpt(codeAt(reporter, module, at), 512) };
}

export function findingOf(reporter: Reporter, { hit, judgement }: JudgedHit): Finding {
  const rule = taintRules[judgement.rule];
  const steps = stepsOf(hit.taint.trace);
  const [source] = steps;
  const tool = hit.tool === undefined ? 'a tool' : `tool "${hit.tool}"`;
  const argument = hit.taint.label === '*' ? 'The arguments' : `Argument "${hit.taint.label}"`;
  const locations = steps.map((step) => locationOf(reporter, step.module, step.at, step.text));
  locations.push(locationOf(reporter, hit.module, hit.at, `reaches ${hit.callee}: ${judgement.reason}`));
  const evidence = [evidenceOf(reporter, hit.module, hit.at)];
  if (source !== undefined) evidence.unshift(evidenceOf(reporter, source.module, source.at));
  return makeFinding(rule, {
    identity: [
      stablePath(spotOf(reporter, hit.module, hit.at).path),
      hit.function,
      hit.tool ?? '',
      hit.callee,
      hit.taint.label,
    ],
    title: `${argument} of ${tool} ${hit.taint.label === '*' ? 'reach' : 'reaches'} ${hit.callee}: ${judgement.reason}`,
    severity: judgement.severity,
    locations,
    evidence,
  });
}

/** One function may serve every tool that is listed. */
export function handlersOf(
  reporter: Reporter,
  registration: Registration,
  listed: ReadonlyMap<string, ListedTool>,
): HandlerRecord[] {
  const { kind, name, module, at } = registration;
  const { path, line } = spotOf(reporter, module, at);
  if (kind === 'tool' && name === undefined && listed.size > 0) {
    return [...listed].map(([tool, { parameters }]) => ({ kind, name: tool, path, line, parameters }));
  }
  const parameters = [...(registration.schema?.fields?.keys() ?? [])];
  return [{ kind, ...(name === undefined ? {} : { name }), path, line, parameters }];
}
