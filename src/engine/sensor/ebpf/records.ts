/**
 * What bpftrace prints, as bytes: a letter, numbers, texts, an end.
 *
 *   "x 1234 77 76" text "perl" text "/usr/bin/perl" end "\n"
 *
 * A text is whatever a target likes it to be, new lines included. What stands between texts therefore holds a number
 * that is drawn for every witness, and that a target cannot know.
 */

export interface Marks {
  readonly text: string;
  readonly end: string;
}

export function marksOf(nonce: string): Marks {
  return { text: `<${nonce}|`, end: `|${nonce}>` };
}

export const recordTypes = {
  adopted: 'a',
  lastReady: 'z',
  forked: 'f',
  became: 'x',
  ended: 'e',
  refused: 'r',
  firstName: 'n',
  address: 'k',
  returned: 'c',
} as const;

export type WitnessRecord =
  | { readonly type: 'adopted' | 'lastReady'; readonly at: bigint; readonly pid: number }
  | (Who & { readonly type: 'forked' })
  | (Who & { readonly type: 'became'; readonly text: Buffer })
  | (Who & { readonly type: 'ended'; readonly status: number })
  | (Who & { readonly type: 'refused'; readonly call: number; readonly result: number })
  | { readonly type: 'firstName'; readonly thread: number; readonly text: Buffer }
  | { readonly type: 'address'; readonly thread: number; readonly address: Buffer }
  | (Who & {
      readonly type: 'returned';
      readonly thread: number;
      readonly call: number;
      readonly result: number;
      readonly extra: number;
      readonly text: Buffer;
    });

export interface Who {
  readonly at: bigint;
  readonly pid: number;
  readonly parent: number;
  readonly name: Buffer;
}

interface Parts {
  readonly numbers: readonly string[];
  readonly texts: readonly Buffer[];
}

const highestPid = 4_194_304;
const decimal = /^-?\d{1,20}$/;
const hexadecimal = /^[0-9a-f]{1,16}$/;

class Malformed extends Error {}

function integer(text: string | undefined, lowest: number, highest: number): number {
  const value = text !== undefined && decimal.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value) || value < lowest || value > highest) throw new Malformed();
  return value;
}

const pidAt = ({ numbers }: Parts, at: number): number => integer(numbers[at], 0, highestPid);
const smallAt = ({ numbers }: Parts, at: number): number => integer(numbers[at], -0x8000_0000, 0xffff_ffff);

/** A result or a set of flags may take all 64 bits; of what is larger than a pointer only the lower half matters. */
function wideAt({ numbers }: Parts, at: number): number {
  const text = numbers[at];
  if (text === undefined || !decimal.test(text)) throw new Malformed();
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : Number(BigInt.asIntN(32, BigInt(text)));
}

function stampAt({ numbers }: Parts, at: number): bigint {
  const text = numbers[at];
  if (text === undefined || !/^\d{1,19}$/.test(text)) throw new Malformed();
  return BigInt(text);
}

function textAt({ texts }: Parts, at: number): Buffer {
  const text = texts[at];
  if (text === undefined) throw new Malformed();
  return text;
}

function whoOf(parts: Parts): Who {
  return { at: stampAt(parts, 0), pid: pidAt(parts, 1), parent: pidAt(parts, 2), name: textAt(parts, 0) };
}

function addressOf({ numbers }: Parts): Buffer {
  const address = Buffer.alloc(8 * (numbers.length - 1));
  for (const [at, word] of numbers.slice(1).entries()) {
    if (!hexadecimal.test(word)) throw new Malformed();
    address.writeBigUInt64LE(BigInt(`0x${word}`), 8 * at);
  }
  return address;
}

interface Shape {
  readonly numbers: number;
  readonly texts: number;
  readonly read: (parts: Parts) => WitnessRecord;
}

const mark = (type: 'adopted' | 'lastReady'): Shape => ({
  numbers: 2,
  texts: 0,
  read: (parts) => ({ type, at: stampAt(parts, 0), pid: pidAt(parts, 1) }),
});

const shapes: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  [recordTypes.adopted, mark('adopted')],
  [recordTypes.lastReady, mark('lastReady')],
  [recordTypes.forked, { numbers: 3, texts: 1, read: (parts) => ({ type: 'forked', ...whoOf(parts) }) }],
  [
    recordTypes.became,
    { numbers: 3, texts: 2, read: (parts) => ({ type: 'became', ...whoOf(parts), text: textAt(parts, 1) }) },
  ],
  [
    recordTypes.ended,
    { numbers: 4, texts: 1, read: (parts) => ({ type: 'ended', ...whoOf(parts), status: smallAt(parts, 3) }) },
  ],
  [
    recordTypes.refused,
    {
      numbers: 5,
      texts: 1,
      read: (parts) => ({ type: 'refused', ...whoOf(parts), call: smallAt(parts, 3), result: wideAt(parts, 4) }),
    },
  ],
  [
    recordTypes.firstName,
    {
      numbers: 1,
      texts: 1,
      read: (parts) => ({ type: 'firstName', thread: pidAt(parts, 0), text: textAt(parts, 0) }),
    },
  ],
  [
    recordTypes.address,
    {
      numbers: 5,
      texts: 0,
      read: (parts) => ({ type: 'address', thread: pidAt(parts, 0), address: addressOf(parts) }),
    },
  ],
  [
    recordTypes.returned,
    {
      numbers: 7,
      texts: 2,
      read: (parts) => ({
        type: 'returned',
        ...whoOf(parts),
        thread: pidAt(parts, 3),
        call: smallAt(parts, 4),
        result: wideAt(parts, 5),
        extra: wideAt(parts, 6),
        text: textAt(parts, 1),
      }),
    },
  ],
]);

function splitTexts(bytes: Buffer, textMark: Buffer): readonly Buffer[] {
  const parts: Buffer[] = [];
  let at = 0;
  for (let next = bytes.indexOf(textMark); next !== -1; next = bytes.indexOf(textMark, at)) {
    parts.push(bytes.subarray(at, next));
    at = next + textMark.length;
  }
  parts.push(bytes.subarray(at));
  return parts;
}

/** One record without its end; null where it is none. */
export function parseRecord(bytes: Buffer, textMark: Buffer): WitnessRecord | null {
  const [head = Buffer.alloc(0), ...texts] = splitTexts(bytes, textMark);
  const [type = '', ...numbers] = head.toString('latin1').split(' ');
  const shape = shapes.get(type);
  if (shape === undefined || numbers.length !== shape.numbers || texts.length !== shape.texts) return null;
  try {
    return shape.read({ numbers, texts });
  } catch (cause) {
    if (cause instanceof Malformed) return null;
    throw cause;
  }
}

/** The longest record is below two kilobytes. */
const longestRecord = 16 * 1024;

/** Cuts a stream into records. What comes before the first end is bpftrace's greeting. */
export class RecordReader {
  readonly #textMark: Buffer;
  readonly #end: Buffer;
  #rest: Buffer = Buffer.alloc(0);
  #hasBegun = false;
  malformed = 0;

  constructor(marks: Marks) {
    this.#textMark = Buffer.from(marks.text, 'latin1');
    this.#end = Buffer.from(`${marks.end}\n`, 'latin1');
  }

  take(chunk: Buffer): readonly WitnessRecord[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const records: WitnessRecord[] = [];
    let at = 0;
    for (let next = bytes.indexOf(this.#end); next !== -1; next = bytes.indexOf(this.#end, at)) {
      if (this.#hasBegun) this.#add(bytes.subarray(at, next), records);
      this.#hasBegun = true;
      at = next + this.#end.length;
    }
    // A copy: the chunk it lies in is much larger.
    this.#rest = Buffer.from(bytes.subarray(at));
    if (this.#rest.length > longestRecord) {
      this.malformed += this.#hasBegun ? 1 : 0;
      this.#rest = Buffer.from(this.#rest.subarray(-this.#end.length));
    }
    return records;
  }

  #add(bytes: Buffer, records: WitnessRecord[]): void {
    const record = parseRecord(bytes, this.#textMark);
    if (record === null) this.malformed += 1;
    else records.push(record);
  }
}
