import type { ClientIdentity } from '../../../../targets/conversation/contract.ts';
import type { BudgetName } from '../trials/index.ts';

/** How a server is asked again: as another client, with other variables, at another time, after some calls. */

export interface Variant {
  /** For reports and `hotcell replay`. */
  readonly id: string;
  /** In words, to go after "asked". */
  readonly title: string;
  readonly identity: ClientIdentity;
  readonly setVariables: Readonly<Record<string, string>>;
  readonly unsetVariables: readonly string[];
  /** How far the clock of the target is moved; 0 leaves it alone. */
  readonly clockDays: number;
}

/** One more listing in a session that goes on. */
export interface LaterListing {
  readonly id: string;
  readonly title: string;
  /** Calls that were made since the first listing. */
  readonly afterCalls: number;
}

/** What a service that builds software sets. Software that does not want to be looked at looks for it. */
export const ciVariables: Readonly<Record<string, string>> = {
  CI: 'true',
  CONTINUOUS_INTEGRATION: 'true',
  GITHUB_ACTIONS: 'true',
  GITLAB_CI: 'true',
  JENKINS_URL: 'http://jenkins.internal:8080/',
  BUILD_NUMBER: '418',
};

/** Every variable that a variant can set: what the policy of a cell has to let in. */
export const variantVariables: readonly string[] = Object.keys(ciVariables);

const identities = {
  first: { name: 'claude-desktop', version: '1.0.211' },
  cursor: { name: 'cursor', version: '2.0.34' },
  cursorEditor: { name: 'cursor-vscode', version: '1.0.0' },
  unknown: { name: 'lantern', version: '0.3.1' },
} as const satisfies Record<string, ClientIdentity>;

/** The first listing: what all others are compared with. */
export const firstVariant: Variant = {
  id: 'first',
  title: 'as the client claude-desktop',
  identity: identities.first,
  setVariables: {},
  unsetVariables: variantVariables,
  clockDays: 0,
};

/** One circumstance alone, as what it changes of the first. */
type Circumstance = Pick<Variant, 'id' | 'title'> & Partial<Variant>;

const circumstances = {
  cursor: { id: 'client-cursor', title: 'as the client cursor', identity: identities.cursor },
  cursorEditor: { id: 'client-cursor-vscode', title: 'as the client cursor-vscode', identity: identities.cursorEditor },
  unknown: { id: 'client-unknown', title: 'as a client that nobody knows', identity: identities.unknown },
  ci: { id: 'ci', title: 'with the variables of a CI service', setVariables: ciVariables, unsetVariables: [] },
  days3: { id: 'clock-3', title: 'with the clock 3 days ahead', clockDays: 3 },
  days30: { id: 'clock-30', title: 'with the clock 30 days ahead', clockDays: 30 },
} as const satisfies Record<string, Circumstance>;

type Name = keyof typeof circumstances;

function combine(names: readonly Name[]): Variant {
  const chosen = names.map((name): Circumstance => circumstances[name]);
  return {
    ...firstVariant,
    ...Object.assign({}, ...chosen),
    id: chosen.map(({ id }) => id).join('+'),
    title: chosen.map(({ title }) => title).join(', '),
  };
}

/** Each start costs time, so circumstances are changed together, and taken apart only where that made a difference. */
const plans: Readonly<Record<BudgetName, readonly (readonly Name[])[]>> = {
  quick: [['cursor', 'days30']],
  standard: [
    ['cursor', 'days30'],
    ['unknown', 'days3', 'ci'],
  ],
  deep: [
    ['cursor', 'days30'],
    ['unknown', 'days3', 'ci'],
    ['cursor'],
    ['cursorEditor'],
    ['unknown'],
    ['ci'],
    ['days3'],
    ['days30'],
  ],
};

export const variants: readonly Variant[] = plans.deep.map(combine);

export function plannedVariants(budget: BudgetName): readonly Variant[] {
  return plans[budget].map(combine);
}

/** The circumstances of a variant, each alone; empty for one that has only one. */
export function isolate(variant: Variant): readonly Variant[] {
  const parts = variant.id.split('+');
  const names = (Object.keys(circumstances) as Name[]).filter((name) => parts.includes(circumstances[name].id));
  return names.length < 2 ? [] : names.map((name) => combine([name]));
}

export function findVariant(id: string): Variant | null {
  return id === firstVariant.id ? firstVariant : combineIds(id.split('+'));
}

function combineIds(ids: readonly string[]): Variant | null {
  const all = Object.keys(circumstances) as Name[];
  const names = ids.flatMap((id) => all.find((name) => circumstances[name].id === id) ?? []);
  return names.length === 0 || names.length < ids.length ? null : combine(names);
}

/** The same circumstances but for the clock; null where that was the only one. */
export function withoutClock(variant: Variant): Variant | null {
  return combineIds(variant.id.split('+').filter((id) => !id.startsWith('clock-')));
}

/** Further listings of the first session. */
export const laterListings: readonly LaterListing[] = [
  { id: 'second-listing', title: 'a second time, with nothing in between', afterCalls: 0 },
  { id: 'after-1-call', title: 'after 1 call', afterCalls: 1 },
  { id: 'after-20-calls', title: 'after 20 calls', afterCalls: 20 },
];

/** Names that a server may repeat without that being a difference. */
export function echoesOf(...given: readonly Variant[]): readonly string[] {
  return [firstVariant, ...given].flatMap(({ identity: { name, version } }) => [name, version]);
}

/** The variables of a start with everything that the variant sets and unsets. */
export function variantEnvironment(
  variant: Variant,
  environment: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const kept = Object.entries(environment).filter(([name]) => !variant.unsetVariables.includes(name));
  return { ...Object.fromEntries(kept), ...variant.setVariables };
}
