import { bitsWhenMatching } from '../../engine/alphabet.ts';
import { bits } from '../../engine/bits.ts';

/** Regular expressions of Python in the spelling that the engine reads. */
export function javaScriptSource(source: string): string {
  return (
    source
      .replace(/\(\?P<\w+>/g, '(?:')
      .replace(/^\\A/, '^')
      // Either scheme, the same host.
      .replace(/^\^https\?:/, '^https:')
      .replace(/\\[Zz]$/, '$')
  );
}

/** `match` is tied to the beginning, `fullmatch` to both ends, and `search` to neither. */
export function tied(source: string, how: string): string {
  const plain = javaScriptSource(source);
  if (how === 'fullmatch') return `^(?:${plain.replace(/^\^/, '').replace(/(?<!\\)\$$/, '')})$`;
  return how === 'match' && !plain.startsWith('^') ? `^(?:${plain})` : plain;
}

/** The ways of `^(?:a|b)$`, each tied to both ends; one way when there is no choice on the outside. */
function waysOf(source: string): readonly string[] {
  const inside = /^\^\((?:\?:)?([\s\S]*)\)\$$/.exec(source)?.[1];
  if (inside === undefined) return [source];
  const ways: string[] = [''];
  let depth = 0;
  for (const part of inside.match(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|[\s\S]/g) ?? []) {
    if (part === '(') depth += 1;
    if (part === ')') depth -= 1;
    // The group ends before the expression does: `(a)(b)`.
    if (depth < 0) return [source];
    if (part === '|' && depth === 0) ways.push('');
    else ways[ways.length - 1] += part;
  }
  return depth === 0 ? ways.map((way) => `^${way}$`) : [source];
}

/** Dots are only written out, and something that is none must follow each of them. */
function hasNoDoubleDot(source: string): boolean {
  const withoutClasses = source.replace(/\[(?:\\[\s\S]|[^\]\\])*\]/g, (found) =>
    found.startsWith('[^') || found.includes('.') ? '.' : 'a',
  );
  const plain = withoutClasses.replace(/\\[dw]/g, 'a').replace(/\\[DSWs]/g, '.');
  const dots = [...plain.matchAll(/\\\./g)];
  const isWritten = !/(?<!\\)\./.test(plain);
  return isWritten && dots.every(({ index }) => /^\\\.(?:[\w-](?![*?]|\{0)|\$$)/.test(plain.slice(index)));
}

/** What is known of a text that matches as a whole, beyond the characters that it is made of. */
export function bitsOfForm(source: string, flags: string): number {
  const isTied = source.startsWith('^') && /(?<!\\)\$$/.test(source) && !flags.includes('m');
  if (!isTied) return 0;
  const ways = waysOf(source);
  const common = ways.reduce((all, way) => all & bitsWhenMatching(way, flags), ~0);
  return ways.every(hasNoDoubleDot) ? common | bits.noDots : common;
}
