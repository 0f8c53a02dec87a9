import { displayWidth, padEnd, wrap } from './width.ts';

/**
 * Rows of cells in columns. Every column is as wide as its widest cell; the last takes what is left of the line and
 * goes on below itself:
 *
 *     ✔ landlock   ABI 7: files, rename,
 *                  truncate
 */
export interface RowOptions {
  /** Cells of the terminal; Infinity where the output is not a terminal, so that a line stays a line. */
  readonly width: number;
  readonly indent?: number;
}

const gap = 2;
/** Below this many cells a last column goes under its row instead of beside it. */
const narrowest = 24;

export function renderRows(rows: readonly (readonly string[])[], options: RowOptions): string {
  const indent = options.indent ?? 2;
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: Math.max(0, columns - 1) }, (_, column) =>
    Math.max(0, ...rows.filter((row) => row.length > column + 1).map((row) => displayWidth(row[column] ?? ''))),
  );
  const start = indent + widths.reduce((sum, width) => sum + width + gap, 0);
  const isNarrow = options.width - start < narrowest;
  return rows.map((row) => renderRow(row, widths, { indent, start, isNarrow, width: options.width })).join('');
}

interface Placing {
  readonly indent: number;
  readonly start: number;
  readonly isNarrow: boolean;
  readonly width: number;
}

function renderRow(row: readonly string[], widths: readonly number[], placing: Placing): string {
  const { indent, start, isNarrow, width } = placing;
  const last = row.at(-1) ?? '';
  const head = row
    .slice(0, -1)
    .map((cell, column) => padEnd(cell, widths[column] ?? 0))
    .join(' '.repeat(gap));
  const lead = ' '.repeat(indent) + head;
  if (isNarrow && row.length > 1) {
    const below = wrap(last, Math.max(8, width - indent - 4));
    return `${lead.trimEnd()}\n${below.map((line) => `${' '.repeat(indent + 4)}${line}\n`).join('')}`;
  }
  const [first = '', ...others] = wrap(last, Math.max(8, width - start));
  const opening = row.length > 1 ? lead + ' '.repeat(gap) : lead;
  return [`${opening}${first}`.trimEnd(), ...others.map((line) => ' '.repeat(start) + line)].join('\n').concat('\n');
}
