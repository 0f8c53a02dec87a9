import { isObject } from '../../../../base/json-shape.ts';
import { createRandom } from '../../../../engine/decoy/index.ts';
import type { ListedTool } from '../../../../targets/conversation/contract.ts';
import { type Fork, generate } from './generate.ts';
import { type Guesser, readGuesser } from './guess.ts';
import { jsonText } from './json-text.ts';
import { type MeaningTable, readMeanings } from './meaning.ts';
import type { World } from './world.ts';

/** Honest arguments for a tool: what it says it wants, with values that exist where it runs. */

export interface Knowledge {
  readonly meanings: MeaningTable;
  readonly guesser: Guesser;
}

/** Read once and handed on; it is the same for every tool. */
export function readKnowledge(): Knowledge {
  return { meanings: readMeanings(), guesser: readGuesser() };
}

export interface HonestOptions {
  readonly seed: string;
  readonly knowledge: Knowledge;
  /** Default: 24. */
  readonly mostInputs?: number;
}

export interface HonestInput {
  readonly input: Readonly<Record<string, unknown>>;
  /** `required`: nothing optional; `everything`: all properties; `branch`: as everything, one fork taken otherwise. */
  readonly kind: 'required' | 'everything' | 'branch';
  /** The schema told nothing, so the arguments were guessed. */
  readonly isGuessed: boolean;
}

const mostNodes = 2000;
/** Of all inputs of one tool together; a schema of thousands of properties gets fewer inputs. */
const mostNodesInAll = 20_000;
const defaultMostInputs = 24;

interface Made {
  readonly input: Readonly<Record<string, unknown>>;
  readonly forks: readonly Fork[];
  readonly nodes: number;
}

type Maker = (isWhole: boolean, choices: ReadonlyMap<string, number>) => Made;

function makerFor(tool: ListedTool, schema: unknown, world: World, { seed, knowledge }: HonestOptions): Maker {
  return (isWhole, choices) => {
    const random = createRandom(`${seed}\n${tool.name}`);
    const forks: Fork[] = [];
    const { meanings } = knowledge;
    const generation = {
      root: schema,
      tool: tool.name,
      isWhole,
      choices,
      forks,
      world,
      meanings,
      random,
      nodes: mostNodes,
    };
    const place = { pointer: '', name: '', description: '', depth: 0, turn: 0 };
    const value = generate(isObject(schema) ? schema : {}, place, generation);
    // Arguments are an object whatever the schema says.
    return { input: isObject(value) ? value : {}, forks, nodes: mostNodes - generation.nodes };
  };
}

export function honestInputs(tool: ListedTool, world: World, options: HonestOptions): readonly HonestInput[] {
  const { schema, isGuessed } = options.knowledge.guesser.schemaOf(tool);
  const make = makerFor(tool, schema, world, options);
  const most = options.mostInputs ?? defaultMostInputs;
  const inputs: HonestInput[] = [];
  const known = new Set<string>();
  const add = (kind: HonestInput['kind'], input: HonestInput['input']): void => {
    const text = jsonText(input);
    // What cannot be written cannot be sent.
    if (text === null || inputs.length >= most || known.has(text)) return;
    inputs.push({ input, kind, isGuessed });
    known.add(text);
  };
  const least = make(false, new Map());
  const whole = make(true, new Map());
  add('required', least.input);
  add('everything', whole.input);
  // Breadth first: every way at every fork once, and the forks that lie behind it.
  const queue: { readonly choices: ReadonlyMap<string, number>; readonly forks: readonly Fork[] }[] = [
    { choices: new Map(), forks: whole.forks },
  ];
  const taken = new Set<string>();
  let left = mostNodesInAll - least.nodes - whole.nodes;
  for (let tries = 0; queue.length > 0 && inputs.length < most && tries < 4 * most; ) {
    const { choices, forks } = queue.shift() ?? { choices: new Map(), forks: [] };
    for (const { key, count } of forks) {
      for (let index = 1; index < count && tries < 4 * most && left > 0; index += 1) {
        if (taken.has(`${key} ${index}`)) continue;
        taken.add(`${key} ${index}`);
        tries += 1;
        const chosen = new Map([...choices, [key, index]]);
        const made = make(true, chosen);
        left -= made.nodes;
        add('branch', made.input);
        queue.push({ choices: chosen, forks: made.forks });
      }
    }
  }
  return inputs.length > 0 ? inputs : [{ input: {}, kind: 'required', isGuessed }];
}
