import type { World } from '../arguments/index.ts';
import type { LaunchFacts, Prop } from './contract.ts';
import type { ValueKind, ValueRules } from './rules.ts';

/** A value for a variable or an argument: bait where it is a secret, something that exists where it is a place. */

export interface Chosen {
  readonly kind: ValueKind;
  readonly value: string;
  readonly props: readonly Prop[];
}

const words = (name: string): string =>
  name
    .replace(/^-+/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();

/** The example decides where it has a shape of its own; the name does otherwise. */
export function kindOf(name: string, example: string | undefined, { names, examples }: ValueRules): ValueKind {
  const plain = words(name);
  const byName = names.find(({ pattern }) => pattern.test(plain))?.kind;
  if (byName === 'leave' || byName === 'secret') return byName;
  const shown = example === undefined ? undefined : examples.find(({ pattern }) => pattern.test(example.trim()))?.kind;
  // A file that is named for a database is one.
  return shown === 'folder' && (byName === 'sqlite' || byName === 'file') ? byName : (shown ?? byName ?? 'example');
}

export function isPlaceholder(text: string, { placeholders }: ValueRules): boolean {
  placeholders.lastIndex = 0;
  return text.trim() === '' || placeholders.test(text);
}

function databasePath({ root, database }: World): string {
  return database === undefined || database.includes('://') ? `${root}/data.db` : database;
}

function connection(kind: 'postgres' | 'redis', { database }: World): string {
  if (database?.startsWith(`${kind}`) === true) return database;
  return kind === 'postgres' ? 'postgresql://postgres:postgres@127.0.0.1:5432/postgres' : 'redis://127.0.0.1:6379';
}

/** Only a part of a longer example is to be filled in, as in `Bearer YOUR_KEY`. */
function fillIn(example: string, bait: string, { placeholders }: ValueRules): string {
  placeholders.lastIndex = 0;
  const filled = example.replace(placeholders, () => bait);
  return filled === example || filled.length > 2048 ? bait : filled;
}

export function valueFor(
  name: string,
  example: string | undefined,
  { world, bait }: Pick<LaunchFacts, 'world' | 'bait'>,
  rules: ValueRules,
): Chosen {
  const kind = kindOf(name, example, rules);
  const baited = (): string => bait(name.replace(/^-+/, ''));
  const plain = (value: string, props: readonly Prop[] = []): Chosen => ({ kind, value, props });
  const isOpen = example === undefined || isPlaceholder(example, rules);
  switch (kind) {
    case 'secret':
      return plain(example !== undefined && /\s|[{:]/.test(example) ? fillIn(example, baited(), rules) : baited());
    case 'url':
      return plain(isOpen || /localhost|127\.0\.0\.1|example/.test(example) ? new URL(world.url).origin : example);
    case 'host':
      return plain(isOpen ? world.domain : example);
    case 'folder':
      return plain(/repo|git/i.test(`${name} ${example ?? ''}`) ? (world.git ?? world.root) : world.root);
    case 'file':
      return plain(
        /json/i.test(`${name} ${example ?? ''}`) ? (world.files.json ?? world.files.text) : world.files.text,
      );
    case 'sqlite':
      return plain(databasePath(world));
    case 'postgres':
    case 'redis':
      return plain(connection(kind, world), [{ kind: 'service', name: kind }]);
    case 'example':
    case 'leave':
      return plain(isOpen ? (example?.includes('{') === true ? fillIn(example, baited(), rules) : 'demo') : example);
    default:
      return plain(isOpen ? (rules.values[kind] ?? 'demo') : example);
  }
}
