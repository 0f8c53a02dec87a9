import type { ListedPrompt, ListedResource, ListedTool } from '../../../../targets/conversation/contract.ts';
import { honestInputs, type Knowledge, positionsOf, type World, withValue } from '../arguments/index.ts';
import { allTrials, type NotTried, type TrialClass } from '../trials/index.ts';
import type { ResourceRequest, ResourceTrial } from './contract.ts';
import { expand, variablesOf } from './uri-template.ts';

/** Variables of templates and arguments of prompts are parameters like those of tools, and get the same trials. */

export interface ArgumentOptions {
  readonly seed: string;
  readonly knowledge: Knowledge;
  readonly classes: readonly TrialClass[];
  readonly isConfined?: boolean;
}

export interface ArgumentTrials {
  readonly honest: readonly ResourceRequest[];
  readonly trials: readonly ResourceTrial[];
  readonly notTried: readonly NotTried[];
}

type Texts = Readonly<Record<string, string>>;
type Form = { readonly suffix: string; readonly request: ResourceRequest };

interface Asked {
  readonly tool: ListedTool;
  /** What such parameters are mostly used for. */
  readonly likely: readonly { readonly class: string }[];
  /** All forms in which these values can be asked for, without doubles. */
  readonly forms: (values: Texts) => readonly Form[];
}

const longestValue = 8192;

function textsOf(input: Readonly<Record<string, unknown>>): Texts {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
    ]),
  );
}

function schemaFor(
  names: readonly { readonly name: string; readonly description?: string; readonly required: boolean }[],
) {
  const properties = Object.fromEntries(
    names.map(({ name, description }) => [
      name,
      { type: 'string', ...(description === undefined ? {} : { description }) },
    ]),
  );
  return { type: 'object', properties, required: names.filter(({ required }) => required).map(({ name }) => name) };
}

export function askTemplate({ uri, description }: ListedResource): Asked {
  const names = variablesOf(uri).map((name) => ({ name, required: true }));
  return {
    tool: {
      name: `resources/read ${uri}`,
      ...(description === undefined ? {} : { description }),
      inputSchema: schemaFor(names),
    },
    // The variable of an address names a file more often than anything else.
    likely: [{ class: 'path-traversal' }],
    forms: (values) => {
      const encoded = expand(uri, values, 'encoded');
      const raw = expand(uri, values, 'raw');
      const forms = [{ suffix: '', request: { kind: 'resource', uri: encoded } as const }];
      return raw === encoded ? forms : [...forms, { suffix: ' raw', request: { kind: 'resource', uri: raw } }];
    },
  };
}

export function askPrompt({ name, description, arguments: names }: ListedPrompt): Asked {
  return {
    tool: {
      name: `prompts/get ${name}`,
      ...(description === undefined ? {} : { description }),
      inputSchema: schemaFor(names),
    },
    likely: [],
    forms: (input) => [{ suffix: '', request: { kind: 'prompt', name, input } }],
  };
}

export function argumentTrials({ tool, likely, forms }: Asked, world: World, options: ArgumentOptions): ArgumentTrials {
  const { seed, knowledge } = options;
  const [honest] = honestInputs(tool, world, { seed, knowledge, mostInputs: 1 });
  const input = honest?.input ?? {};
  const [plain] = forms(textsOf(input));
  const { trials, notTried } = allTrials(tool, positionsOf(tool, knowledge), world, seed, { ...options, likely });
  return {
    honest: plain === undefined ? [] : [plain.request],
    notTried,
    trials: trials.flatMap((trial): ResourceTrial[] => {
      const { value, position, baseline, followUp } = trial;
      // What is known by its time, or by a second call, has its place with tools.
      if (typeof value !== 'string' || value.length > longestValue) return [];
      if (baseline !== undefined || followUp !== undefined) return [];
      const made = forms(textsOf(withValue(input, position, value)));
      return made.map(({ suffix, request }) => ({ ...trial, id: `${trial.id}${suffix}`, request }));
    }),
  };
}
