/** Looks for JSON objects in a line that is more than one: messages one behind the other, or behind a log prefix. */

export interface FoundObjects {
  readonly objects: readonly unknown[];
  readonly around: readonly string[];
  readonly dropped: number;
}

/** A wrong beginning may cost a walk to the end of the line: so many lines' lengths are walked, and some more. */
const mostWalks = 3;
const moreCharacters = 256 * 1024;
const mostAround = 32;

/** Where the object that begins at `from` ends, or -1. */
function endOfObject(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      at = endOfString(text, at);
      if (at === -1) return -1;
    } else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return -1;
}

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function findObjects(text: string, most: number): FoundObjects {
  if (!text.includes('{')) return { objects: [], around: [text], dropped: 0 };
  const objects: unknown[] = [];
  const around: string[] = [];
  let dropped = 0;
  let walksLeft = mostWalks * text.length + moreCharacters;
  /** Up to where the text has been told. */
  let told = 0;
  const tell = (to: number): void => {
    const piece = text.slice(told, to).trim();
    if (piece !== '' && around.length < mostAround) around.push(piece);
  };
  for (let from = text.indexOf('{'); from !== -1 && walksLeft > 0; ) {
    const end = endOfObject(text, from);
    const value = end === -1 ? undefined : parseObject(text.slice(from, end));
    walksLeft -= (end === -1 ? text.length : end) - from;
    if (value === undefined) {
      from = text.indexOf('{', from + 1);
      continue;
    }
    tell(from);
    if (objects.length < most) objects.push(value);
    else dropped += 1;
    told = end;
    from = text.indexOf('{', end);
  }
  tell(text.length);
  return { objects, around, dropped };
}
