import { UsageError } from '../../base/errors.ts';

/**
 * The part of a `.env` file that is ours. Other tools keep their settings in the same file in dialects of their own,
 * so lines of other names are only skipped over; ours are read strictly.
 *
 *     # comment
 *     export HOTCELL_BACKEND=bwrap   # comment
 *     HOTCELL_POLICY="a \"quoted\" text"
 *     HOTCELL_HOME='as it stands'
 */

const usualNames = /^HOTCELL_/;
const assignment = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\s*=[ \t]*/;
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', '"': '"', '\\': '\\', $: '$' };

interface Read {
  readonly value: string;
  /** Where the rest of the line after the value begins. */
  readonly end: number;
}

function readQuoted(text: string, start: number): Read | null {
  const quote = text[start];
  let value = '';
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === quote) return { value, end: at + 1 };
    const next = text[at + 1];
    if (character === '\\' && quote === '"' && next !== undefined && escapes[next] !== undefined) {
      value += escapes[next];
      at++;
    } else value += character;
  }
  return null;
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end === -1 ? text.length : end;
}

function readValue(text: string, start: number): Read | null {
  if (text[start] === '"' || text[start] === "'") return readQuoted(text, start);
  const end = endOfLine(text, start);
  return {
    value: text
      .slice(start, end)
      .replace(/(^|\s)#.*$/, '')
      .trim(),
    end,
  };
}

/** @throws UsageError naming file and line, for a line of ours that cannot be read. */
export function parseEnvFile(text: string, file: string, ours: RegExp = usualNames): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (let at = 0; at < text.length; ) {
    const line = text.slice(0, at).split('\n').length;
    const end = endOfLine(text, at);
    const match = assignment.exec(text.slice(at, end));
    const name = match?.[1] ?? '';
    const read = match === null ? null : readValue(text, at + match[0].length);
    const rest = read === null ? '' : text.slice(read.end, endOfLine(text, read.end));
    const isClean = read !== null && /^\s*(#.*)?$/.test(rest);
    if (ours.test(name) || (match === null && ours.test(text.slice(at, end).trim()))) {
      if (read === null || !isClean) {
        throw new UsageError(`${file}:${line}: cannot read ${name || 'this line'}`, {
          hint: 'write NAME=value, NAME="value" or NAME=\'value\'',
        });
      }
      if (found.has(name)) throw new UsageError(`${file}:${line}: ${name} is set twice`);
      found.set(name, read.value);
    }
    at = (isClean && read !== null ? endOfLine(text, read.end) : end) + 1;
  }
  return found;
}
