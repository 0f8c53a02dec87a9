import { inspectWords } from './argv/inspect-words.ts';
import type { Look } from './argv/look.ts';
import type { CommandCheck, GivenCommand } from './contract.ts';
import { Findings } from './findings.ts';
import { readThrough } from './look-alikes.ts';
import { baseName, findProgram } from './rules.ts';
import { inspectLine } from './shell/inspect-line.ts';
import { parseLine } from './shell/parse-line.ts';

/** Whether a launch command is of a known exploitable shape. Any text has an answer, in bounded time. */

const longestText = 64 * 1024;
const mostWords = 4096;
const deepest = 8;
/** More than any honest command has, and each of them costs time. */
const mostUnusual = 4096;
const mostLooks = 1024;

/** Controls of direction and tag characters have no honest place in a command at all. */
const neverHonest = /[\u202a-\u202e\u2066-\u2069\u{e0001}-\u{e007f}]/u;

function inspect(given: GivenCommand, found: Findings): void {
  let looks = 0;
  const at = (depth: number, way: readonly string[]): Look => ({
    found,
    way: way.slice(0, 32),
    words: (argv, next) => go(depth, () => inspectWords(argv, at(depth + 1, next)), argv),
    line: (text, next) => go(depth, () => inspectLine(text, at(depth + 1, next)), [text]),
  });
  const go = (depth: number, look: () => void, words: readonly string[]): void => {
    looks += 1;
    if (depth >= deepest || looks > mostLooks) found.hit('not-understood', words.slice(0, 4));
    else look();
  };
  if (typeof given === 'string') at(0, []).line(given, []);
  else at(0, []).words(given, []);
}

/** `["bash -c id"]`: some clients take a first word with blanks in it apart. */
function partFirstWord(given: GivenCommand): readonly string[] | null {
  if (typeof given === 'string' || !/\s/.test(given[0] ?? '')) return null;
  const parts = (given[0] ?? '').split(/\s+/).filter((part) => part !== '');
  return findProgram(baseName(parts[0] ?? '')) === undefined ? null : [...parts, ...given.slice(1)];
}

function wordsOf(given: GivenCommand): readonly (readonly string[])[] {
  if (typeof given !== 'string') return [given];
  return parseLine(given).commands.map(({ words }) => words.map(({ value }) => value));
}

/** Names of programs and options are where a look-alike deceives; in a title or a message it is only text. */
function deceives(given: GivenCommand): string | null {
  for (const words of wordsOf(given)) {
    for (const [at, word] of words.entries()) {
      const { text, changes } = readThrough(word);
      if (changes === '') continue;
      const isName = at === 0 && findProgram(baseName(text)) !== undefined;
      if (isName || /^[-/+]./.test(text) || neverHonest.test(word)) return changes;
    }
  }
  return null;
}

function checkDisguise(given: GivenCommand, found: Findings): void {
  const all = typeof given === 'string' ? given : given.join(' ');
  const { changes } = readThrough(all);
  if (changes === '') return;
  const through = new Findings();
  inspect(typeof given === 'string' ? readThrough(given).text : given.map((word) => readThrough(word).text), through);
  const known = found.ids;
  const fresh = through.result().shapes.filter(({ id }) => !known.has(id));
  for (const hit of fresh) found.take(hit);
  const why = deceives(given) ?? (fresh.length > 0 || neverHonest.test(all) ? changes : null);
  const shown = typeof given === 'string' ? [given] : given;
  if (why !== null) found.hit('disguise', shown, why);
  else found.note(`unusual characters: ${changes}`);
}

function isTooMuch(given: GivenCommand): boolean {
  const words = typeof given === 'string' ? [given] : given;
  if (words.length > mostWords || words.reduce((sum, word) => sum + word.length + 1, 0) > longestText) return true;
  return words.reduce((sum, word) => sum + (word.match(/[^\t\n\r -~]/g)?.length ?? 0), 0) > mostUnusual;
}

export function checkCommand(given: GivenCommand): CommandCheck {
  const found = new Findings();
  if (isTooMuch(given)) {
    found.hit('not-understood', [typeof given === 'string' ? given.slice(0, 80) : (given[0] ?? '').slice(0, 80)]);
    return found.result();
  }
  inspect(given, found);
  const parted = partFirstWord(given);
  if (parted !== null) {
    found.note('the first word has blanks in it: some clients take it apart');
    inspect(parted, found);
  }
  checkDisguise(given, found);
  return found.result();
}
