import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { Difference, Gap, Notice } from '../../../engine/policy/index.ts';
import { count, renderRows, type Terminal, wrap } from '../terminal/index.ts';

/** A policy file may be the work of a stranger: its words are shown, not obeyed by the terminal. */
const safe = (text: string): string => forTerminal(untrusted(text));

export function renderNotices(notices: readonly Notice[], terminal: Terminal): string {
  const { style, symbols } = terminal;
  const rows = notices.map(({ path, what }) => [style.warn(symbols.warn), safe(path), safe(what)]);
  return renderRows(rows, terminal);
}

export function renderGaps(gaps: readonly Gap[], terminal: Terminal): string {
  const { style, symbols } = terminal;
  const rows = gaps.map(({ path, what, effect }) => {
    const isWeaker = effect === 'open';
    const mark = isWeaker ? style.warn(symbols.warn) : style.faint(symbols.none);
    return [mark, isWeaker ? 'weaker' : 'stricter', safe(path), safe(what)];
  });
  return renderRows(rows, terminal);
}

/** Lines that begin with blanks go on below themselves, a little further in. */
export function renderExplanation(text: string, terminal: Terminal): string {
  const { style, width } = terminal;
  return text
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const indent = /^ */.exec(line)?.[0].length ?? 0;
      if (indent === 0) return [line.endsWith(':') ? style.strong(line) : line];
      const [first = '', ...others] = wrap(line.trimStart(), width - indent - 4);
      return [' '.repeat(indent) + first, ...others.map((other) => ' '.repeat(indent + 4) + other)];
    })
    .map((line) => `${line}\n`)
    .join('');
}

export interface Comparison {
  readonly names: readonly [string, string];
  /** What the second allows that the first does not. */
  readonly more: readonly Difference[];
  /** The other way round. */
  readonly less: readonly Difference[];
}

export function renderComparison({ names, more, less }: Comparison, terminal: Terminal): string {
  const { style } = terminal;
  const [first, second] = names.map(safe);
  const rows = [
    ...more.map(({ subject, what }) => [style.warn('+'), subject, safe(what)]),
    ...less.map(({ subject, what }) => [style.good('-'), subject, safe(what)]),
  ];
  const verdict =
    more.length === 0
      ? `${second} allows nothing that ${first} does not.`
      : `${second} allows ${count(more.length, 'thing')} that ${first} does not.`;
  return `${renderRows(rows, terminal)}${style.strong(verdict)}\n`;
}
