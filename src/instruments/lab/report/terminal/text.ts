import { forTerminal, untrusted } from '../../../../base/untrusted.ts';
import type { RenderOptions, ReportStyle } from '../index.ts';
import { oneLine, spellBlanks } from '../words.ts';

/** How text gets onto a terminal: nothing of a sample moves a cursor, and no line is longer than the window. */

const plain = (text: string): string => text;
const noStyle: ReportStyle = { good: plain, bad: plain, warn: plain, strong: plain, faint: plain, code: plain };

export interface Paper {
  readonly style: ReportStyle;
  /** Columns that may be written. */
  readonly width: number;
}

export function paperOf({ width, style }: RenderOptions): Paper {
  return { style: style ?? noStyle, width: Math.max(40, Math.min(width, 120)) };
}

export function safe(text: string, most = 400): string {
  return forTerminal(untrusted(oneLine(text), most));
}

const mostIndent = 12;

/** A line of code keeps how far it is moved in; a long gap, behind which something may stand, is spelled out. */
export function safeCode(line: string, most = 400): string {
  const flat = line.replaceAll('\t', '  ').trimEnd();
  const code = flat.trimStart();
  const indent = flat.length - code.length;
  const shown = indent <= mostIndent ? ' '.repeat(indent) + spellBlanks(code) : spellBlanks(flat);
  return forTerminal(untrusted(shown, most));
}

/** At most so many characters, cut by a mark. */
export function cutTo(text: string, characters: number): string {
  const all = [...text];
  return all.length <= characters ? text : `${all.slice(0, Math.max(1, characters - 1)).join('')}…`;
}

export function wrap(text: string, width: number, indent: string, first = indent): readonly string[] {
  const room = Math.max(20, width - indent.length);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((long) => pieces(long, room))) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  if (line !== '') lines.push(line);
  return lines.map((each, at) => (at === 0 ? first : indent) + each);
}

function pieces(word: string, room: number): readonly string[] {
  if (word.length <= room) return [word];
  const parts: string[] = [];
  for (let at = 0; at < word.length; at += room) parts.push(word.slice(at, at + room));
  return parts;
}

/** The widest gives way first. */
function fittingWidths(natural: readonly number[], room: number): readonly number[] {
  const widths = [...natural];
  const gaps = 2 * Math.max(0, widths.length - 1);
  for (let over = widths.reduce((sum, own) => sum + own, gaps) - room; over > 0; over -= 1) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= 4) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

/** Columns as wide as what is in them, as far as there is room. The first row is their heads. */
export function columnLines(
  rows: readonly (readonly string[])[],
  width: number,
  indent: string,
  paint: (text: string) => string = plain,
): readonly string[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const room = width - indent.length;
  const natural = Array.from({ length: count }, (_, at) =>
    Math.min(room, Math.max(0, ...rows.map((row) => [...(row[at] ?? '')].length))),
  );
  const widths = fittingWidths(natural, room);
  return rows.map((row, index) => {
    const cells = widths.map((own, at) => {
      const text = cutTo(row[at] ?? '', own);
      return text + ' '.repeat(Math.max(0, own - [...text].length));
    });
    const line = cutTo(`${indent}${cells.join('  ')}`.trimEnd(), width);
    return index === 0 ? paint(line) : line;
  });
}
