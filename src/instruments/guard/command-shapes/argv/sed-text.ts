/** Whether a program of sed starts others: the command `e`, and the flag `e` of `s`. */

const textCommands = 'aicrRwWbtT:}';

/** Position behind the delimiter that ends the part which begins at `at`. */
function skipPart(text: string, at: number, delimiter: string): number {
  let inClass = false;
  for (let position = at; position < text.length; position += 1) {
    const character = text[position];
    if (character === '\\') position += 1;
    else if (character === '[' && delimiter !== '[') inClass = true;
    else if (character === ']') inClass = false;
    else if (character === delimiter && !inClass) return position + 1;
    else if (character === '\n') inClass = false;
  }
  return text.length;
}

function skipAddress(text: string, at: number): number {
  const character = text[at];
  if (character === '/') return skipPart(text, at + 1, '/');
  if (character === '\\') return skipPart(text, at + 2, text[at + 1] ?? '/');
  const [number = ''] = /^(?:\d+|\$|[+~]\d+)/.exec(text.slice(at, at + 20)) ?? [];
  return at + number.length;
}

function skipAddresses(text: string, from: number): number {
  let at = from;
  for (let count = 0; count < 6; count += 1) {
    const end = skipAddress(text, at);
    const [rest = ''] = /^[IM]*[\s,~!]*/.exec(text.slice(end, end + 64)) ?? [];
    if (end + rest.length === at) return at;
    at = end + rest.length;
  }
  return at;
}

export function sedStartsPrograms(given: string): boolean {
  const text = given.slice(0, 65_536);
  let at = 0;
  while (at < text.length) {
    const [blank = ''] = /^[\s;{]+/.exec(text.slice(at, at + 4096)) ?? [];
    at = skipAddresses(text, at + blank.length);
    const command = text[at];
    if (command === undefined) return false;
    if (command === 'e') return true;
    at += 1;
    if (command === 's' || command === 'y') {
      const delimiter = text[at] ?? '/';
      at = skipPart(text, skipPart(text, at + 1, delimiter), delimiter);
      const [flags = ''] = /^[gpiIMme0-9]*/.exec(text.slice(at, at + 64)) ?? [];
      if (command === 's' && flags.includes('e')) return true;
      at += flags.length;
      if (text[at] === 'w') at = lineEnd(text, at);
    } else if (textCommands.includes(command) && command !== '}') at = lineEnd(text, at);
    else if (command === '#') at = lineEnd(text, at);
  }
  return false;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}
