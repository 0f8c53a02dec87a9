import type { Listing } from '../../../../targets/conversation/contract.ts';
import type { World } from '../arguments/index.ts';
import type { NotTried } from '../trials/index.ts';
import { type ArgumentOptions, argumentTrials, askPrompt, askTemplate } from './argument-trials.ts';
import type { ResourceRequest, ResourceTrial, ResourceTrials } from './contract.ts';
import { escapeTrials } from './escapes.ts';

export interface ResourceTrialOptions extends ArgumentOptions {
  /** Trials of the variables of one template, or the arguments of one prompt. Default: 16. */
  readonly perPosition?: number;
  /** Default: 80. */
  readonly total?: number;
}

const mostTemplates = 8;
const mostPrompts = 8;
const mostHonest = 8;

function within(trials: readonly ResourceTrial[], perPosition: number, total: number) {
  const used = new Map<string, number>();
  const kept: ResourceTrial[] = [];
  const over: NotTried[] = [];
  for (const trial of trials) {
    const { class: kind, payload, tool, position } = trial;
    const place = `${tool}\n${position.pointer}`;
    const count = used.get(place) ?? 0;
    if (kept.length < total && count < perPosition) {
      used.set(place, count + 1);
      kept.push(trial);
    } else over.push({ class: kind, payload, tool, pointer: position.pointer, reason: 'over-budget' });
  }
  return { kept, over };
}

/** Pure: the same seed makes the same trials. */
export function resourceTrials(
  { resources, prompts }: Pick<Listing, 'resources' | 'prompts'>,
  world: World,
  options: ResourceTrialOptions,
): ResourceTrials {
  const { seed, isConfined = false, perPosition = 16, total = 80 } = options;
  const escapes = escapeTrials(resources, world, seed, isConfined);
  const made = [
    ...resources
      .filter(({ isTemplate }) => isTemplate)
      .slice(0, mostTemplates)
      .map(askTemplate),
    ...prompts
      .filter(({ arguments: names }) => names.length > 0)
      .slice(0, mostPrompts)
      .map(askPrompt),
  ].map((asked) => argumentTrials(asked, world, options));
  const trials = made.flatMap((each) => each.trials).toSorted((one, other) => other.score - one.score);
  const { kept, over } = within(trials, perPosition, Math.max(0, total - escapes.length));
  const listed: readonly ResourceRequest[] = [
    ...resources.filter(({ isTemplate }) => !isTemplate).map(({ uri }) => ({ kind: 'resource', uri }) as const),
    ...prompts
      .filter(({ arguments: names }) => names.length === 0)
      .map(({ name }) => ({ kind: 'prompt', name, input: {} }) as const),
  ];
  return {
    honest: [...listed.slice(0, mostHonest), ...made.flatMap((each) => each.honest)],
    trials: [...escapes, ...kept],
    notTried: [...made.flatMap((each) => each.notTried), ...over],
  };
}
