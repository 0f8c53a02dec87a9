import { randomBytes } from 'node:crypto';
import type { Canary } from './canary.ts';
import type { DecoyContext, DecoyFile, DecoyVariable, Person } from './decoy.ts';
import { decoyKinds } from './kinds/index.ts';
import { createRandom, type Random } from './random.ts';

/** A developer's home that was never anybody's, fresh for each run. */
export interface DecoyHome {
  readonly person: Person;
  readonly files: readonly DecoyFile[];
  readonly variables: readonly DecoyVariable[];
  readonly canaries: readonly Canary[];
}

export interface HomeOptions {
  /** The same seed and time make the same home. Default: one that nobody can guess. */
  readonly seed?: Uint8Array | string;
  readonly now?: Date;
}

const firstNames = ['Anna', 'Ben', 'Clara', 'David', 'Elena', 'Farid', 'Grace', 'Henrik', 'Ines', 'Jonas'] as const;
const lastNames = [
  'Albers',
  'Brandt',
  'Costa',
  'Dahl',
  'Engel',
  'Fischer',
  'Haas',
  'Keller',
  'Lind',
  'Moreau',
] as const;
const companies = ['northwind', 'brightleaf', 'ironpeak', 'bluecrate', 'fernhill', 'quietwave'] as const;

function makePerson(random: Random): Person {
  const [first, last, company] = [random.pick(firstNames), random.pick(lastNames), random.pick(companies)];
  const user = `${first.charAt(0)}${last}`.toLowerCase();
  return {
    user,
    name: `${first} ${last}`,
    email: `${first}.${last}@${company}.example`.toLowerCase(),
    host: `${user}-laptop`,
    company,
  };
}

export function makeHome({ seed = randomBytes(32), now = new Date() }: HomeOptions = {}): DecoyHome {
  const random = createRandom(seed);
  const context: DecoyContext = { random, now, person: makePerson(random) };
  const made = decoyKinds.map((kind) => kind.make(context));
  const files = made.flatMap((decoys) => decoys.files ?? []);
  const variables = made.flatMap((decoys) => decoys.variables ?? []);
  return {
    person: context.person,
    files,
    variables,
    canaries: [...files, ...variables].flatMap(({ canaries }) => canaries),
  };
}
