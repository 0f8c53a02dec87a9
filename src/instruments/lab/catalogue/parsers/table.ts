const isRule = (line: string): boolean => /^[\s|+-]*$/.test(line) && line.includes('-');

function cellsOf(line: string, columns: number): string[] | undefined {
  if (!line.includes('|')) return undefined;
  const bare = line.startsWith('|') ? line.slice(1).replace(/\|\s*$/, '') : line;
  const cells = bare.split('|', 32);
  if (cells.length < columns) return undefined;
  // A bar within the last cell belongs to its text.
  return [...cells.slice(0, columns - 1), cells.slice(columns - 1).join('|')].map((cell) => cell.trim());
}

export interface TableForm {
  readonly columns: number;
  /** Every row ends with a line of dashes; otherwise a row whose first cell is empty goes on with the one above. */
  readonly isRuled: boolean;
  readonly most: number;
}

/** Tables that tools draw with bars, wrapped cells joined. */
export function readTable(
  lines: readonly string[],
  { columns, isRuled, most }: TableForm,
): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let hasEnded = true;
  for (const line of lines) {
    if (isRule(line)) {
      hasEnded = true;
      continue;
    }
    const row = cellsOf(line, columns);
    if (row === undefined) continue;
    const last = rows.at(-1);
    if (last !== undefined && (isRuled ? !hasEnded : row[0] === '')) {
      for (const [at, cell] of row.entries())
        if (cell !== '') last[at] = `${last[at] ?? ''} ${cell}`.trim().slice(0, 4000);
    } else if (rows.length < most) {
      rows.push(row);
    } else {
      break;
    }
    hasEnded = false;
  }
  return rows;
}
