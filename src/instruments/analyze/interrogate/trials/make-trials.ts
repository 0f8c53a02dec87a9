import type { ListedTool } from '../../../../targets/conversation/contract.ts';
import type { Knowledge, Position, World } from '../arguments/index.ts';
import { wordsOf } from '../arguments/meaning.ts';
import type { PayloadSeed, TrialClass } from './class-file.ts';
import type { Trial } from './contract.ts';
import { type Ground, honestTextAt, loadPayload } from './make-trial.ts';
import { sharedNames } from './marks.ts';

/** All trials that make sense for a tool, the likeliest first. */

export interface Hints {
  readonly knowledge: Knowledge;
  readonly classes: readonly TrialClass[];
  /** The server was given the root as its boundary. When it is not known, the tool's own words decide. */
  readonly isConfined?: boolean;
  /** What static inspection thinks likely for this tool: a class, and a top-level parameter where one is known. */
  readonly likely?: readonly { readonly class: string; readonly parameter?: string }[];
}

/** A payload that this world cannot give a meaning, or that a budget has no room for. */
export interface NotTried {
  readonly class: string;
  readonly payload: string;
  readonly tool: string;
  readonly pointer: string;
  readonly reason: 'nothing-in-this-box-shows-it' | 'over-budget';
}

export interface AllTrials {
  readonly trials: readonly Trial[];
  readonly notTried: readonly NotTried[];
}

const promise =
  /allowed (director|folder|path|root)|(with)?in (the )?(allowed|root|workspace|project|permitted|configured|knowledge|vault)\b|restricted to|sandbox|only (works|files|paths) (in|within|inside|under)|relative to/i;

/** Each payload of a class is a little less likely to be the one that works than the one before. */
const decay = 0.94;
const hintWeight = 2.5;
const spokenWeight = 1.6;
const hintLeast = 60;
const switchLeast = 20;
/** Where the schema wants no text, many servers do not check; the first payloads will show it. */
const confusion = { weight: 0.25, payloads: 2 } as const;
const choice = 'choice';
const longestWords = 8000;

function isFor({ onlyMeanings, notMeanings, types }: PayloadSeed, position: Position): boolean {
  if (onlyMeanings !== undefined && !onlyMeanings.includes(position.meaning)) return false;
  if (notMeanings?.includes(position.meaning)) return false;
  if (types === undefined) return true;
  return position.types.length === 0 || types.some((type) => position.types.includes(type));
}

function isConfused(payload: PayloadSeed, position: Position): boolean {
  return position.meaning === choice || (payload.types === undefined && !position.isText);
}

interface Scoring {
  readonly kind: TrialClass;
  /** The tool's own words speak of what the class is about. */
  readonly isSpokenOf: boolean;
  /** The tool has a switch that leads there, such as `isUrl`. */
  readonly isSwitched: boolean;
  readonly rank: number;
  readonly position: Position;
  readonly payload: PayloadSeed;
}

function scoreOf({ kind, isSpokenOf, isSwitched, rank, position, payload }: Scoring, { likely }: Hints): number {
  const own = payload.likely?.[position.meaning];
  const base = own ?? kind.likely[position.meaning] ?? kind.likely['*'] ?? 0;
  // A hint is for the payloads that are meant for such a place, where some are.
  const isMeant = own !== undefined || kind.payloads.every((each) => each.likely?.[position.meaning] === undefined);
  const isHinted =
    isMeant &&
    (isSwitched ||
      likely?.some(
        (hint) => hint.class === kind.class && (hint.parameter === undefined || hint.parameter === position.path[0]),
      ));
  const spoken = isSpokenOf ? Math.min(100, base * spokenWeight) : base;
  const weight = isConfused(payload, position) ? confusion.weight : 1;
  return (
    (isHinted ? hintWeight * Math.max(spoken, hintLeast) : spoken) * weight * decay ** (own === undefined ? rank : 0)
  );
}

function isByDesign(kind: TrialClass, payload: PayloadSeed, position: Position, isConfined: boolean): boolean {
  if (payload.isAbility === true) return true;
  if (payload.neverByDesign === true) return false;
  return kind.byDesign?.includes(position.meaning) === true || (payload.absolute === true && !isConfined);
}

/** One position of a tool, with all that is the same for every payload tried there. */
interface Stage extends Ground {
  readonly tool: ListedTool;
  readonly position: Position;
  readonly seed: string;
  readonly isConfined: boolean;
  /** Classes that the tool's own words speak of. */
  readonly spoken: ReadonlySet<TrialClass>;
  /** Words in the names of the tool's switches. */
  readonly switches: ReadonlySet<string>;
}

/** The text beside a switch of the class: what the switch decides about is a path, an address or the like. */
function isSwitched({ switches, position }: Stage, { flags = [], likely }: TrialClass): boolean {
  const base = likely[position.meaning] ?? 0;
  return base >= switchLeast && position.isText && flags.some((flag) => switches.has(flag));
}

function trialAt(stage: Stage, kind: TrialClass, payload: PayloadSeed, rank: number, hints: Hints): Trial | null {
  const { tool, position, isConfined } = stage;
  const id = `${kind.class}/${payload.id} ${tool.name}${position.pointer}`;
  const loaded = loadPayload(payload, `${stage.seed}\n${id}`, stage);
  if (loaded === null) return null;
  return {
    id,
    class: kind.class,
    payload: payload.id,
    tool: tool.name,
    position,
    ...loaded,
    cwe: kind.cwe,
    flags: kind.flags ?? [],
    isByDesign: isByDesign(kind, payload, position, isConfined),
    ...(payload.unlike === undefined ? {} : { unlike: payload.unlike }),
    score: scoreOf(
      { kind, isSpokenOf: stage.spoken.has(kind), isSwitched: isSwitched(stage, kind), rank, position, payload },
      hints,
    ),
  };
}

function trialsAt(stage: Stage, hints: Hints): AllTrials {
  const trials: Trial[] = [];
  const notTried: NotTried[] = [];
  const { tool, position } = stage;
  for (const kind of hints.classes) {
    const fitting = kind.payloads.filter(
      (payload) => isFor(payload, position) && (payload.onlyConfined !== true || stage.isConfined),
    );
    for (const [rank, payload] of fitting.entries()) {
      if (isConfused(payload, position) && rank >= confusion.payloads) continue;
      const trial = trialAt(stage, kind, payload, rank, hints);
      if (trial !== null) trials.push(trial);
      else {
        const where = { class: kind.class, payload: payload.id, tool: tool.name, pointer: position.pointer };
        notTried.push({ ...where, reason: 'nothing-in-this-box-shows-it' });
      }
    }
  }
  return { trials, notTried };
}

export function allTrials(
  tool: ListedTool,
  places: readonly Position[],
  world: World,
  seed: string,
  hints: Hints,
): AllTrials {
  const names = sharedNames(world);
  const switches = new Set(
    places.flatMap(({ name, types }) => (types.includes('boolean') ? wordsOf(name).split('-') : [])),
  );
  const topics = hints.classes.map((kind) => ({
    kind,
    patterns: (kind.words ?? []).map((source) => new RegExp(source, 'i')),
  }));
  const made = places.map((position) => {
    const words = `${wordsOf(tool.name)} ${tool.description ?? ''} ${position.description}`.slice(0, longestWords);
    const spokenOf = topics.filter(({ patterns }) => patterns.some((pattern) => pattern.test(words)));
    const stage: Stage = {
      ...{ tool, position, seed, world, names },
      honest: honestTextAt(position, tool.name, world, hints.knowledge),
      isConfined: hints.isConfined ?? promise.test(words),
      spoken: new Set(spokenOf.map(({ kind }) => kind)),
      switches,
    };
    return trialsAt(stage, hints);
  });
  return {
    trials: byScore(made.flatMap(({ trials }) => trials)),
    notTried: made.flatMap(({ notTried }) => notTried),
  };
}

/** Equal scores stay in the order of the classes. */
export function byScore(trials: readonly Trial[]): readonly Trial[] {
  return trials.toSorted((one, other) => other.score - one.score);
}

export function makeTrials(
  tool: ListedTool,
  places: readonly Position[],
  world: World,
  seed: string,
  hints: Hints,
): readonly Trial[] {
  return allTrials(tool, places, world, seed, hints).trials;
}
