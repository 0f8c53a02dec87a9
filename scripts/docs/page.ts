/** One generated file, or one generated part of a file. */
export interface Page {
  /** Relative to the root of the repository. */
  readonly path: string;
  /** The part between `<!-- generated: NAME -->` and `<!-- end of NAME -->`; without it, the whole file. */
  readonly part?: string;
  render(): string;
}

const note = 'This page is made from the definitions in the code by `npm run docs`. Change those, not this.';

export function titled(title: string, body: string): string {
  return `# ${title}\n\n${note}\n\n${body.trim()}\n`;
}

/** A cell must not end its row. */
export function cell(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|');
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |\n`;
  return line(head) + line(head.map(() => '---')) + rows.map(line).join('');
}

/** Puts `text` between the marks of `part`; null where the file has no such marks. */
export function replacePart(file: string, part: string, text: string): string | null {
  const [open, close] = [`<!-- generated: ${part} -->`, `<!-- end of ${part} -->`];
  const start = file.indexOf(open);
  const end = file.indexOf(close);
  if (start === -1 || end < start) return null;
  return `${file.slice(0, start + open.length)}\n\n${text.trim()}\n\n${file.slice(end)}`;
}
