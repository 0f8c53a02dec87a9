import { isUtf8 } from 'node:buffer';

/** What one block of a stream of events says, and how it is said again when something in it has to change. */

export interface SseEvent {
  /** `message` where it has no other. */
  readonly name: string;
  /** Null where it carries none. */
  readonly data: Buffer | null;
  /** Everybody reads it as we do: only known fields, and only line ends that everybody takes for such. */
  readonly isOrdinary: boolean;
  /** Fields beside the data, without line ends. */
  readonly others: readonly string[];
}

const fieldNames: ReadonlySet<string> = new Set(['data', 'event', 'id', 'retry']);
/** A name is a word. Anything else would be text of the server's that nobody has judged. */
const eventName = /^[\w.-]{0,64}$/;
const strangeName = 'other';
const longestOther = 1024;
/** Some readers end a line at these too. */
const oddBreaks = /[\v\f\x1c-\x1e\u0085\u2028\u2029]/;
const everyOddBreak = /[\v\f\x1c-\x1e\u0085\u2028\u2029\0]/g;
const marks = /^\uFEFF/;

interface Field {
  readonly name: string;
  readonly value: string;
}

function readField(line: string): Field {
  const colon = line.indexOf(':');
  if (colon === -1) return { name: line, value: '' };
  return { name: line.slice(0, colon), value: line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1) };
}

export function readEvent(raw: Buffer, isFirst: boolean): SseEvent {
  const text = raw.toString('utf8');
  const unmarked = isFirst ? text.replace(marks, '') : text;
  const lines = unmarked.split(/\r\n|\n|\r/).filter((line) => line !== '');
  const fields = lines.filter((line) => !line.startsWith(':')).map(readField);
  const data = fields.filter(({ name }) => name === 'data').map(({ value }) => value);
  const last = (wanted: string): string | undefined => fields.findLast(({ name }) => name === wanted)?.value;
  const given = last('event');
  const name = given === undefined || eventName.test(given) ? given : strangeName;
  const isOrdinary =
    isUtf8(raw) &&
    !oddBreaks.test(text) &&
    // A line feed left over from the block before is an empty line to nobody.
    fields.every((field) => fieldNames.has(field.name)) &&
    name === given;
  const others = (['event', 'id', 'retry'] as const).flatMap((field) => {
    const value = field === 'event' ? name : last(field)?.replace(everyOddBreak, '');
    return value === undefined || value.length > longestOther ? [] : [`${field}: ${value}`];
  });
  return {
    name: name === undefined || name === '' ? 'message' : name,
    data: data.length === 0 ? null : Buffer.from(data.join('\n'), 'utf8'),
    isOrdinary,
    others,
  };
}

function escapeBreak(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Inside of JSON those characters stand in texts alone, where an escape means the same. */
export function escapeOddBreaks(json: string): string {
  return json.replace(everyOddBreak, escapeBreak);
}

/** With this as its data. Without data what is left still says how far the stream has come. Null when nothing is. */
export function writeEvent({ others }: SseEvent, data: string | null): Buffer | null {
  const lines = data === null ? [] : data.split(/\r\n|\n|\r/).map((line) => `data: ${line}`);
  const kept = data === null ? others.filter((line) => !line.startsWith('event:')) : others;
  if (lines.length + kept.length === 0) return null;
  return Buffer.from(`${[...kept, ...lines].join('\n')}\n\n`);
}
