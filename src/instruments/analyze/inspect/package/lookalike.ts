import { z } from 'zod';
import { readRules } from '../../../../base/rules-folder.ts';

/** Names that look like others: letters swapped, dropped, doubled, or replaced by look-alikes. */

const listSchema = z.strictObject({ note: z.string(), npm: z.array(z.string()), pypi: z.array(z.string()) });

/** Damerau-Levenshtein with neighbours that may swap; gives up above `most`. */
export function editDistance(left: string, right: string, most: number): number {
  if (Math.abs(left.length - right.length) > most) return most + 1;
  let [older, old]: [number[], number[]] = [[], Array.from({ length: right.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= left.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const cost = left[i - 1] === right[j - 1] ? 0 : 1;
      let best = Math.min((old[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (old[j - 1] ?? 0) + cost);
      const isSwapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      if (isSwapped) best = Math.min(best, (older[j - 2] ?? 0) + 1);
      row.push(best);
    }
    if (Math.min(...row) > most) return most + 1;
    [older, old] = [old, row];
  }
  return Math.min(old[right.length] ?? most + 1, most + 1);
}

/** What an eye takes a name for: case and separators gone, digits and pairs that look like letters made letters. */
export function skeleton(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w')
    .replace(/[0]/g, 'o')
    .replace(/[1|]/g, 'l')
    .replace(/[-_.]/g, '');
}

const shortest = 6;
const longEnoughForTwo = 14;

/** One part of the name, such as `git` for `gist`, is a word of its own and no slip of the finger when it is this short. */
function differsInShortWord(left: string, right: string): boolean {
  const [a, b] = [left.split(/[-_./@]+/), right.split(/[-_./@]+/)];
  if (a.length !== b.length) return false;
  const differing = a.flatMap((word, index) => (word === b[index] ? [] : [[word, b[index] ?? ''] as const]));
  const isSwapped = ([one, two]: readonly [string, string]): boolean =>
    [...one].sort().join('') === [...two].sort().join('');
  return (
    differing.length === 1 &&
    differing.every((pair) => Math.min(pair[0].length, pair[1].length) <= 4 && !isSwapped(pair))
  );
}

function splitScope(name: string): { readonly scope: string; readonly base: string } {
  const [scope = '', base = ''] = name.startsWith('@') ? name.split('/', 2) : ['', name];
  return { scope, base };
}

function looksLike(name: string, popular: string): boolean {
  if (name.length < shortest || popular.length < shortest) return false;
  const [own, other] = [splitScope(name), splitScope(popular)];
  if (own.scope === other.scope && own.scope !== '') {
    // Whoever owns the scope names what is in it.
    return false;
  }
  // The same server under another scope is a fork as a rule, unless the scope itself is the imitation.
  if (own.base === other.base && own.scope !== '' && other.scope !== '') {
    return (
      own.scope.length > shortest &&
      (editDistance(own.scope, other.scope, 2) <= 2 || skeleton(own.scope) === skeleton(other.scope))
    );
  }
  if ((own.scope === '') !== (other.scope === ''))
    return skeleton(name.replace(/^@|\//g, '')) === skeleton(popular.replace(/^@|\//g, ''));
  if (skeleton(name) === skeleton(popular)) return true;
  if (own.scope !== other.scope && own.scope !== '') return false;
  const most = Math.min(name.length, popular.length) >= longEnoughForTwo ? 2 : 1;
  return !differsInShortWord(name, popular) && editDistance(name, popular, most) <= most;
}

/** The popular server that this name could be taken for; undefined when it is popular itself or like none. */
export function findLookalike(ecosystem: 'npm' | 'pypi', name: string): string | undefined {
  const lists = readRules('package/popular-servers.json', listSchema);
  const normal = ecosystem === 'pypi' ? name.toLowerCase().replace(/[-_.]+/g, '-') : name;
  if (lists[ecosystem].includes(normal)) return undefined;
  return lists[ecosystem].find((popular) => looksLike(normal, popular));
}
