/** Reads the options before the first word that is none, as the launchers do. */

export interface OptionRules {
  /** Options that take the next word as their value. All others stand alone. */
  readonly withValue: readonly string[];
}

export interface ReadOptions {
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly flags: ReadonlySet<string>;
  readonly rest: readonly string[];
}

/** `-p value`, `-pvalue`, `--name value`, `--name=value`, `--flag`, `-abc`; `--` ends them. */
export function readOptions(words: readonly string[], { withValue }: OptionRules): ReadOptions {
  const values = new Map<string, string[]>();
  const flags = new Set<string>();
  const keep = (name: string, value: string): void => {
    values.set(name, [...(values.get(name) ?? []), value]);
  };
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') return { values, flags, rest: words.slice(at + 1) };
    if (!word.startsWith('-') || word === '-') break;
    const equals = word.indexOf('=');
    const isLong = word.startsWith('--');
    if (isLong && equals !== -1) keep(word.slice(0, equals), word.slice(equals + 1));
    else if (withValue.includes(word)) {
      at += 1;
      keep(word, words[at] ?? '');
    } else if (!isLong && word.length > 2) readCluster(word, withValue, keep, flags, () => words[++at] ?? '');
    else flags.add(word);
  }
  return { values, flags, rest: words.slice(at) };
}

/** `-it` are two flags; in `-ie NAME` and `-eNAME` the `e` takes what follows. */
function readCluster(
  word: string,
  withValue: readonly string[],
  keep: (name: string, value: string) => void,
  flags: Set<string>,
  takeNext: () => string,
): void {
  for (let at = 1; at < word.length; at += 1) {
    const name = `-${word[at]}`;
    if (withValue.includes(name)) {
      const value = word.slice(at + 1).replace(/^=/, '');
      keep(name, value === '' ? takeNext() : value);
      return;
    }
    flags.add(name);
  }
}

export function lastValue(options: ReadOptions, ...names: readonly string[]): string | undefined {
  return names.flatMap((name) => options.values.get(name) ?? []).at(-1);
}

export function allValues(options: ReadOptions, ...names: readonly string[]): string[] {
  return names.flatMap((name) => options.values.get(name) ?? []);
}
