import { forTerminal, untrusted } from '../../../../base/untrusted.ts';
import { type DiffLine, diffLines } from './line-diff.ts';

/** A unified difference, as people know it. */

const context = 3;
const longestLine = 400;

/** With their ends, so that a missing last one differs. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function show({ is, text }: DiffLine): string {
  const shown = forTerminal(untrusted(text.replace(/\r?\n$/, ''), longestLine), { keepLines: true });
  return `${is}${shown}\n${text.endsWith('\n') ? '' : '\\ No newline at end of file\n'}`;
}

function hunks(lines: readonly DiffLine[]): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  for (const [index, { is }] of lines.entries()) {
    if (is === ' ') continue;
    const last = found.at(-1);
    const [from, to] = [Math.max(0, index - context), Math.min(lines.length, index + context + 1)];
    if (last !== undefined && from <= last[1]) last[1] = to;
    else found.push([from, to]);
  }
  return found;
}

function header(lines: readonly DiffLine[], from: number, to: number): string {
  const count = (part: readonly DiffLine[], not: string): number => part.filter(({ is }) => is !== not).length;
  const [before, inside] = [lines.slice(0, from), lines.slice(from, to)];
  const range = (not: string): string => {
    const length = count(inside, not);
    const start = count(before, not) + (length === 0 ? 0 : 1);
    return length === 1 ? `${start}` : `${start},${length}`;
  };
  return `@@ -${range('+')} +${range('-')} @@\n`;
}

/** Empty where nothing differs. */
export function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return '';
  const lines = diffLines(linesOf(before), linesOf(after));
  const name = forTerminal(untrusted(path, 4096));
  const parts = hunks(lines).map(([from, to]) => header(lines, from, to) + lines.slice(from, to).map(show).join(''));
  return `--- ${name}\n+++ ${name}\n${parts.join('')}`;
}
