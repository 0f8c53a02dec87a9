import type { LaunchFacts, Prop } from './contract.ts';
import type { ValueRules } from './rules.ts';
import { isPlaceholder, kindOf, valueFor } from './value-for.ts';

/** Arguments of an example with what is a matter of place or secret replaced by what this box has. */

export interface FilledArguments {
  readonly args: readonly string[];
  readonly props: readonly Prop[];
  readonly isConfined: boolean;
  readonly because: readonly string[];
}

const replaced = new Set(['secret', 'url', 'host', 'folder', 'file', 'sqlite', 'postgres', 'redis', 'email']);
const leftOut = /^(?:\.{3}|…)$/;
const boundary = /dir|folder|path|root|allow|workspace|vault/i;

/** The words of a placeholder are its name: `<path-to-db>`, `YOUR_API_KEY`. */
function nameIn(word: string): string {
  return word.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '');
}

export function fillArguments(
  example: readonly string[],
  facts: Pick<LaunchFacts, 'world' | 'bait' | 'installed'>,
  rules: ValueRules,
): FilledArguments {
  const args: string[] = [];
  const props: Prop[] = [];
  const because: string[] = [];
  let isConfined = false;
  /** The word as it is to be given; an option's name tells more than a placeholder does. */
  const fill = (option: string | null, word: string): string => {
    // A file of the target's own is where it is.
    if (word.includes(`${facts.installed.folder}/`)) return word;
    const name = option ?? nameIn(word);
    const kind = kindOf(name, word, rules);
    if (!replaced.has(kind) && !isPlaceholder(word, rules)) return word;
    // A plain word that is no placeholder is a word of the server's own language, whatever it sounds like.
    if (option === null && !isPlaceholder(word, rules) && !/[/\\:.~]/.test(word)) return word;
    const chosen = valueFor(name, word, facts, rules);
    props.push(...chosen.props);
    if (chosen.value === facts.world.root && (option === null || boundary.test(option))) isConfined = true;
    because.push(`argument ${option ?? args.length + 1}: ${chosen.kind}, as in the example of its README`);
    return chosen.value;
  };
  for (let at = 0; at < example.length; at += 1) {
    const word = example[at] ?? '';
    const pair = /^(--?[A-Za-z][\w-]*)=(.*)$/s.exec(word);
    const next = example[at + 1];
    if (leftOut.test(word)) continue;
    if (pair !== null) args.push(`${pair[1]}=${fill(pair[1] ?? '', pair[2] ?? '')}`);
    else if (/^--?[A-Za-z]/.test(word) && next !== undefined && !next.startsWith('-')) {
      args.push(word, fill(word, next));
      at += 1;
    } else if (word.startsWith('-')) args.push(word);
    else {
      const value = fill(null, word);
      // Two example folders become the same one here.
      if (!(value === facts.world.root && args.includes(value))) args.push(value);
    }
  }
  return { args, props, isConfined, because };
}
