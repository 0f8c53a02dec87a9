import { stripVTControlCharacters } from 'node:util';

/** Characters that take two cells: East Asian wide forms and emoji. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
const noCell = /\p{M}|\p{Cf}/u;

/** How many cells a text takes on a terminal. Colour codes take none. */
export function displayWidth(text: string): number {
  let cells = 0;
  for (const character of stripVTControlCharacters(text)) {
    if (noCell.test(character)) continue;
    cells += wide.test(character) ? 2 : 1;
  }
  return cells;
}

export function padEnd(text: string, cells: number): string {
  return text + ' '.repeat(Math.max(0, cells - displayWidth(text)));
}

/** Words are not torn apart, except one that alone is longer than a line. */
export function wrap(text: string, cells: number): readonly string[] {
  if (displayWidth(text) <= cells) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (displayWidth(longer) <= cells) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (displayWidth(line) > cells) {
      const part = take(line, cells);
      lines.push(part);
      line = line.slice(part.length);
    }
  }
  return line === '' ? lines : [...lines, line];
}

function take(text: string, cells: number): string {
  let part = '';
  for (const character of text) {
    if (part !== '' && displayWidth(part + character) > cells) break;
    part += character;
  }
  return part;
}
