import { inline } from '../../../../evidence/renderers/markdown-text.ts';
import { oneLine } from '../words.ts';

/** Text of the sample on one line of Markdown: short, visible, and never markup. */
export function shown(text: string, characters = 400): string {
  const all = [...oneLine(text.slice(0, 4 * characters))];
  return inline(all.length <= characters ? all.join('') : `${all.slice(0, characters).join('')}…`);
}

export function tableLines(columns: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => shown(cell, 300)).join(' | ')} |`;
  return [line(columns), `| ${columns.map(() => '---').join(' | ')} |`, ...rows.map(line), ''];
}
