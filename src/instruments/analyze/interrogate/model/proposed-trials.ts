import { createHash } from 'node:crypto';
import type { ListedTool } from '../../../../targets/conversation/contract.ts';
import type { Position, World } from '../arguments/index.ts';
import type { OracleSeed, PayloadSeed, TrialClass } from '../trials/class-file.ts';
import type { NotTried } from '../trials/index.ts';
import { type AllTrials, allTrials, type Hints, type Trial } from '../trials/index.ts';
import type { Proposal } from './contract.ts';
import { judgeValue } from './judge-value.ts';
import { placeholdersIn, replacePlaceholders } from './placeholders.ts';

/**
 * Trials from what a model proposed. They are made as all others are: the value is a template of its class, filled with
 * marks of its own, and judged by oracles that the class files name.
 */

/** Texts inside one parameter that a value is tried in, where the parameter is no text itself. */
const mostInside = 3;
const upward = /\.\.|%2e|\u2025|\uff0e/i;
const anyOption = 'any-option';
/** A tool that is there to run commands runs the one of a marker, however it is wrapped. */
const notForCommands = ['code-eval', 'deserialisation'];

/** The option as a whole is what a program must have got; the programs are those of the class. */
function optionOracles(kind: TrialClass, value: string): readonly OracleSeed[] {
  const known = kind.payloads
    .find(({ id }) => id === anyOption)
    ?.oracles.find((oracle) => oracle.kind === 'argv-option');
  return known === undefined || !value.startsWith('-') ? [] : [{ ...known, option: value }];
}

/** Null when nothing of the class files could prove it. */
export function proposedPayload(kind: TrialClass, value: string): PayloadSeed | null {
  if (judgeValue(kind.class, value) !== null) return null;
  const used = placeholdersIn(value);
  const models = used.flatMap(({ like }) => kind.payloads.find(({ id }) => id === like[kind.class]) ?? []);
  const template = replacePlaceholders(value, ({ fills }) => fills);
  // One that the class has already would only be called twice.
  if (models.length === 0 || kind.payloads.some((payload) => payload.value === template)) return null;
  const borrowed = models.flatMap(({ oracles }) => oracles).filter((oracle) => oracle.kind !== 'argv-option');
  const oracles = new Map([...borrowed, ...optionOracles(kind, template)].map((each) => [JSON.stringify(each), each]));
  const onlyMeanings = models.find((model) => model.onlyMeanings !== undefined)?.onlyMeanings;
  const isDirect = !upward.test(value) && !used.some(({ name }) => name === 'up');
  return {
    id: `model-${createHash('sha256').update(value).digest('hex').slice(0, 10)}`,
    value: template,
    oracles: [...oracles.values()],
    needs: models.flatMap(({ needs = [] }) => needs),
    notMeanings: [
      ...models.flatMap(({ notMeanings = [] }) => notMeanings),
      ...(notForCommands.includes(kind.class) ? ['command', 'arguments'] : []),
    ],
    ...(onlyMeanings === undefined ? {} : { onlyMeanings }),
    // A plain path outside is wrong only for a tool that keeps to a root.
    ...(kind.class === 'path-traversal' && isDirect ? { absolute: true } : {}),
  };
}

/** The parameter itself where it takes text, else texts inside it. */
function placesFor(parameter: string, places: readonly Position[]): readonly Position[] {
  const within = places.filter(({ path, isText }) => path[0] === parameter && isText);
  const itself = within.filter(({ path }) => path.length === 1);
  return itself.length > 0 ? itself : within.slice(0, mostInside);
}

/** Takes what `allTrials` takes, and is handed to `withinBudget` beside it. Proposals for other tools are passed over. */
export function proposedTrials(
  proposals: readonly Proposal[],
  tool: ListedTool,
  places: readonly Position[],
  world: World,
  seed: string,
  hints: Hints,
): AllTrials {
  const trials = new Map<string, Trial>();
  const notTried: NotTried[] = [];
  for (const { hostile } of proposals.filter((proposal) => proposal.tool === tool.name)) {
    for (const { parameter, class: name, value } of hostile) {
      const kind = hints.classes.find((each) => each.class === name);
      const payload = kind === undefined ? null : proposedPayload(kind, value);
      if (kind === undefined || payload === null) continue;
      const made = allTrials(tool, placesFor(parameter, places), world, seed, {
        ...hints,
        classes: [{ ...kind, payloads: [payload] }],
      });
      for (const trial of made.trials) trials.set(trial.id, trial);
      notTried.push(...made.notTried);
    }
  }
  return { trials: [...trials.values()], notTried };
}
