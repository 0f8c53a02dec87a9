import { isAscii, isUtf8 } from 'node:buffer';
import { endOfString, endOfValue } from './canonical.ts';
import { instruments, ledgerVerdicts } from './contract.ts';
import { actionPattern } from './entry.ts';
import { ledgerLimits } from './limits.ts';
import { type LineReading, readPlain } from './plain-line.ts';

export type { LineReading } from './plain-line.ts';

/** Reads a line strictly: these fields in this order, in canonical form, and nothing else. Nothing is built that nobody wants. */

export interface BadLine {
  readonly kind: 'line' | 'field';
  readonly why: string;
}

interface Field {
  readonly label: string;
  readonly name: string;
  readonly isRequired: boolean;
  /** One past the value that begins at `at`; -1 when it is not what belongs there. */
  endOf(text: string, at: number): number;
}

const wallPattern = /^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"$/;
const wallChars = 26;
const previousPattern = /^"[0-9a-f]{64}"$/;
const previousChars = 66;
const timeLabel = '{"monotonicNs":"';
const wallLabel = ',"wall":';

function endOfTimes(text: string, at: number): number {
  if (!text.startsWith(timeLabel, at)) return -1;
  const start = at + timeLabel.length;
  const end = text.indexOf('"', start);
  if (!/^(?:0|[1-9]\d{0,19})$/.test(text.slice(start, end))) return -1;
  if (!text.startsWith(wallLabel, end + 1)) return -1;
  const wallAt = end + 1 + wallLabel.length;
  if (!wallPattern.test(text.slice(wallAt, wallAt + wallChars))) return -1;
  return text[wallAt + wallChars] === '}' ? wallAt + wallChars + 1 : -1;
}

function endOfSequence(text: string, at: number): number {
  const end = text.indexOf(',', at);
  return /^(?:0|[1-9]\d{0,14})$/.test(text.slice(at, end)) ? end : -1;
}

/** A text, which `allowed` gets to see with its quotes. */
function textField(name: string, isRequired: boolean, allowed: (written: string) => boolean): Field {
  return {
    label: `"${name}":`,
    name,
    isRequired,
    endOf: (text, at) => {
      const end = endOfString(text, at);
      return end !== -1 && allowed(text.slice(at, end)) ? end : -1;
    },
  };
}

const isName = (written: string): boolean => written.length <= 2 + 6 * (ledgerLimits.nameChars + 1);
const oneOf = (words: readonly string[]): ((written: string) => boolean) => {
  const written = new Set(words.map((word) => JSON.stringify(word)));
  return (text) => written.has(text);
};

const fields: readonly Field[] = [
  textField('action', true, (written) => actionPattern.test(written.slice(1, -1))),
  { label: '"at":', name: 'at', isRequired: true, endOf: endOfTimes },
  {
    label: '"details":',
    name: 'details',
    isRequired: false,
    endOf: (text, at) => (text[at] === '{' ? endOfValue(text, at, ledgerLimits.detailsDepth + 1) : -1),
  },
  textField('instrument', true, oneOf(instruments)),
  textField('policy', false, isName),
  {
    label: '"previous":',
    name: 'previous',
    isRequired: true,
    endOf: (text, at) => (previousPattern.test(text.slice(at, at + previousChars)) ? at + previousChars : -1),
  },
  textField('rule', false, isName),
  { label: '"sequence":', name: 'sequence', isRequired: true, endOf: endOfSequence },
  textField('server', false, isName),
  textField('session', true, (written) => written.length > 2 && isName(written)),
  textField('verdict', true, oneOf(ledgerVerdicts)),
];

export function isBadLine(reading: LineReading | BadLine): reading is BadLine {
  return 'why' in reading;
}

export function readLine(bytes: Buffer): LineReading | BadLine {
  if (isAscii(bytes)) {
    const text = bytes.toString('latin1');
    return readPlain(text) ?? readText(text);
  }
  if (!isUtf8(bytes)) return { kind: 'line', why: 'the line is no UTF-8' };
  return readText(bytes.toString('utf8'));
}

/** The long way, which says what is wrong. */
export function readText(text: string): LineReading | BadLine {
  if (text[0] !== '{') return { kind: 'line', why: 'the line is no JSON object' };
  let at = 0;
  let [action, sequence, previous, wall] = ['', -1, '', ''];
  for (const field of fields) {
    // Before the first field stands the brace, before each other one a comma.
    if (!text.startsWith(field.label, at + 1) || (at > 0 && text[at] !== ',')) {
      if (!field.isRequired) continue;
      return {
        kind: 'field',
        why: `where ${field.name} belongs there is something else, or it is not in canonical form`,
      };
    }
    const start = at + 1 + field.label.length;
    at = field.endOf(text, start);
    if (at === -1) return { kind: 'field', why: `${field.name} is not what it must be, or not in canonical form` };
    if (field.name === 'action') action = text.slice(start + 1, at - 1);
    else if (field.name === 'at') wall = text.slice(at - wallChars, at - 2);
    else if (field.name === 'previous') previous = text.slice(start + 1, at - 1);
    else if (field.name === 'sequence') sequence = Number(text.slice(start, at));
  }
  if (text[at] !== '}' || at + 1 !== text.length)
    return { kind: 'line', why: 'the line does not end where the entry ends' };
  return { action, sequence, previous, wall };
}

/** A quick look at a line that another writer has just written: whether it is the next one, and not whether all of it is right. */
export function seemsToFollow(bytes: Buffer, sequence: number, previous: string): boolean {
  const text = bytes.toString('latin1');
  const hasFrame = text.startsWith('{"action":"') && text.endsWith('"}');
  return hasFrame && text.includes(`,"previous":"${previous}",`) && text.includes(`,"sequence":${sequence},`);
}
