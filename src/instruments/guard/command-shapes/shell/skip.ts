/** Finds where something ends that began with a bracket, without being misled by quotes in it. */

const closers: Readonly<Record<string, string>> = { '(': ')', '{': '}' };

/** `at` is behind the opening bracket; the answer is the position of the closing one, or the length. */
export function skipToCloser(text: string, at: number, open: '(' | '{'): number {
  const close = closers[open];
  let depth = 1;
  let quote = '';
  for (let position = at; position < text.length; position += 1) {
    const character = text[position];
    if (quote === "'") {
      if (character === "'") quote = '';
    } else if (character === '\\') position += 1;
    else if (quote === '"') {
      if (character === '"') quote = '';
    } else if (character === "'" || character === '"') quote = character;
    else if (character === open) depth += 1;
    else if (character === close) {
      depth -= 1;
      if (depth === 0) return position;
    }
  }
  return text.length;
}

export function skipBackticks(text: string, at: number): number {
  for (let position = at; position < text.length; position += 1) {
    if (text[position] === '\\') position += 1;
    else if (text[position] === '`') return position;
  }
  return text.length;
}
