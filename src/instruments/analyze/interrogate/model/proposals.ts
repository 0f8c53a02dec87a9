import { z } from 'zod';
import { isObject } from '../../../../base/json-shape.ts';
import { boundValue } from '../../../../targets/conversation/bound-value.ts';
import { jsonText } from '../arguments/json-text.ts';
import { recordOf } from '../arguments/template.ts';
import type { Proposal } from './contract.ts';
import { findProposals } from './find-json.ts';
import { judgeValue } from './judge-value.ts';
import type { ShownTool } from './shown-tools.ts';

/** An answer as proposals about the tools that were asked about. Everything else in it is dropped and counted. */

export const mostHonest = 4;
export const mostHostile = 12;
const longestValue = 2000;
const largestInput = 8192;
/** Looked at per list; what a model answers beyond is not even counted one by one. */
const mostItems = 200;
const inputBounds = { depth: 8, values: 500, characters: largestInput };

const proposalSchema = z.object({
  tool: z.string(),
  honest: z.array(z.unknown()).catch([]),
  hostile: z.array(z.unknown()).catch([]),
});
const hostileSchema = z.object({
  parameter: z.string(),
  class: z.string(),
  value: z.string().min(1).max(longestValue),
});

type Hostile = Proposal['hostile'][number];

const reasons = {
  form: 'were not of the form that was asked for',
  tool: 'were for tools that were not asked about',
  parameter: 'were for parameters that the tool does not have',
  class: 'were of no class of trials',
  'no-placeholder': 'had no placeholder, so nothing could prove them',
  shape: 'were what an honest caller could say',
  harm: 'would do more than leave a mark',
  size: 'were too many or too large',
} as const;
type Reason = keyof typeof reasons;

class Dropped {
  readonly #counts = new Map<Reason, number>();

  add(reason: Reason, count = 1): void {
    if (count > 0) this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + count);
  }

  tell(): readonly string[] {
    return Array.from(this.#counts, ([reason, count]) => `${count} proposals of the model ${reasons[reason]}`);
  }
}

function honestOf(items: readonly unknown[], { parameters }: ShownTool, dropped: Dropped): Proposal['honest'] {
  const kept = new Map<string, Readonly<Record<string, unknown>>>();
  for (const item of items.slice(0, mostItems)) {
    if (!isObject(item)) {
      dropped.add('form');
      continue;
    }
    const entries = Object.entries(item);
    const known = entries.filter(([name]) => parameters.has(name));
    dropped.add('parameter', entries.length - known.length);
    const input = recordOf(known);
    const text = jsonText(boundValue(input, inputBounds));
    // Cut is not what was proposed, so it is left out as a whole.
    if (text === null || text.length > largestInput || text !== jsonText(input)) dropped.add('size');
    else if (known.length > 0 || entries.length === 0) kept.set(text, input);
  }
  dropped.add('size', Math.max(0, kept.size - mostHonest));
  return [...kept.values()].slice(0, mostHonest);
}

function hostileOf(
  items: readonly unknown[],
  { parameters }: ShownTool,
  classes: readonly string[],
  dropped: Dropped,
): Proposal['hostile'] {
  const kept = new Map<string, Hostile>();
  for (const item of items.slice(0, mostItems)) {
    const parsed = hostileSchema.safeParse(item);
    if (!parsed.success) {
      dropped.add('form');
      continue;
    }
    const { parameter, class: kind, value } = parsed.data;
    const problem = classes.includes(kind) ? judgeValue(kind, value) : 'class';
    if (!parameters.has(parameter)) dropped.add('parameter');
    else if (problem !== null) dropped.add(problem);
    else kept.set(`${parameter}\n${kind}\n${value}`, { parameter, class: kind, value });
  }
  dropped.add('size', Math.max(0, kept.size - mostHostile));
  return [...kept.values()].slice(0, mostHostile);
}

function merge(one: Proposal | undefined, other: Proposal): Proposal {
  return {
    tool: other.tool,
    honest: [...(one?.honest ?? []), ...other.honest].slice(0, mostHonest),
    hostile: [...(one?.hostile ?? []), ...other.hostile].slice(0, mostHostile),
  };
}

export interface ReadProposals {
  readonly proposals: readonly Proposal[];
  readonly problems: readonly string[];
}

export function readProposals(answer: string, tools: readonly ShownTool[], classes: readonly string[]): ReadProposals {
  const items = findProposals(answer);
  if (items === null) return { proposals: [], problems: ['the model did not answer in JSON'] };
  const dropped = new Dropped();
  const found = new Map<string, Proposal>();
  dropped.add('size', Math.max(0, items.length - mostItems));
  for (const item of items.slice(0, mostItems)) {
    const parsed = proposalSchema.safeParse(item);
    const tool = tools.find(({ name }) => name === parsed.data?.tool);
    if (!parsed.success) dropped.add('form');
    else if (tool === undefined) dropped.add('tool');
    else {
      const honest = honestOf(parsed.data.honest, tool, dropped);
      const hostile = hostileOf(parsed.data.hostile, tool, classes, dropped);
      if (honest.length + hostile.length === 0) continue;
      found.set(tool.name, merge(found.get(tool.name), { tool: tool.name, honest, hostile }));
    }
  }
  return { proposals: [...found.values()], problems: dropped.tell() };
}
