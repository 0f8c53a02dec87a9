/**
 * Reads protobuf's wire format, and only that:
 *
 *   message = (tag value)*        tag = varint of field number << 3 | wire type
 *   wire type 0: varint    1: 8 bytes    2: varint length and that many bytes    5: 4 bytes
 *
 * The sender is not trusted. Anything that is not well formed gives null; fields that no shape names are passed over.
 */

/** `int` is exact up to 53 bits, `big` always, `low` is the lowest 32; `list` is a repeated field of bytes. */
export type FieldType = 'int' | 'low' | 'big' | 'bytes' | 'list' | Shape;

/** Names of fields with their numbers in the message. */
export interface Shape {
  readonly [name: string]: readonly [number: number, type: FieldType];
}

export interface BytesList {
  readonly items: readonly Uint8Array[];
  /** How many there were; only the first few thousand are kept. */
  readonly total: number;
}

type Value<T extends FieldType> = T extends 'int' | 'low'
  ? number
  : T extends 'big'
    ? bigint
    : T extends 'bytes'
      ? Uint8Array
      : T extends 'list'
        ? BytesList
        : T extends Shape
          ? Parsed<T> | undefined
          : never;

/** What is not in the message is 0, empty, or for a message in it undefined. Bytes are views into the input. */
export type Parsed<S extends Shape> = { readonly [N in keyof S]: Value<S[N][1]> };

const mostItems = 4096;
const wireTypes = { varint: 0, eightBytes: 1, bytes: 2, fourBytes: 5 } as const;
const empty = new Uint8Array();
const two32 = 4_294_967_296;

class Cursor {
  readonly bytes: Uint8Array;
  at: number;
  readonly end: number;
  /** The last varint, as two halves of 32 bits. */
  low = 0;
  high = 0;

  constructor(bytes: Uint8Array, at: number, end: number) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  /** False when it does not end within ten bytes or within the message. */
  readVarint(): boolean {
    this.low = 0;
    this.high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.at >= this.end) return false;
      const byte = this.bytes[this.at] ?? 0;
      this.at += 1;
      const bits = byte & 0x7f;
      if (shift < 28) this.low |= bits << shift;
      else if (shift === 28) {
        this.low |= bits << 28;
        this.high |= bits >>> 4;
      } else if (shift < 64) this.high |= bits << (shift - 32);
      if (byte < 0x80) {
        this.low >>>= 0;
        return true;
      }
    }
    return false;
  }

  get int(): number {
    return (this.high | 0) * two32 + this.low;
  }

  get big(): bigint {
    return BigInt.asIntN(64, (BigInt(this.high >>> 0) << 32n) | BigInt(this.low));
  }

  skip(count: number): boolean {
    this.at += count;
    return this.at <= this.end;
  }
}

interface Slot {
  readonly name: string;
  readonly type: FieldType;
  readonly inner: Reader | null;
}

interface Reader {
  readonly slots: readonly (Slot | undefined)[];
  readonly blank: Readonly<Record<string, unknown>>;
}

const blanks = { int: 0, low: 0, big: 0n, bytes: empty, list: { items: [], total: 0 } } as const;

function prepare(shape: Shape): Reader {
  const slots: (Slot | undefined)[] = [];
  const blank: Record<string, unknown> = {};
  for (const [name, [number, type]] of Object.entries(shape)) {
    const inner = typeof type === 'string' ? null : prepare(type);
    slots[number] = { name, type, inner };
    blank[name] = typeof type === 'string' ? blanks[type] : undefined;
  }
  return { slots, blank };
}

function addItem(list: unknown, item: Uint8Array): BytesList {
  const { items, total } = list as { items: Uint8Array[]; total: number };
  if (total === 0) return { items: [item], total: 1 };
  if (items.length < mostItems) items.push(item);
  return { items, total: total + 1 };
}

function readBytes(cursor: Cursor, slot: Slot | undefined, out: Record<string, unknown>): boolean {
  if (!cursor.readVarint() || cursor.high !== 0) return false;
  const start = cursor.at;
  if (!cursor.skip(cursor.low)) return false;
  if (slot === undefined) return true;
  if (slot.inner !== null) {
    const message = readFields(new Cursor(cursor.bytes, start, cursor.at), slot.inner);
    if (message === null) return false;
    out[slot.name] = message;
    return true;
  }
  if (slot.type !== 'bytes' && slot.type !== 'list') return false;
  const bytes = cursor.bytes.subarray(start, cursor.at);
  out[slot.name] = slot.type === 'list' ? addItem(out[slot.name], bytes) : bytes;
  return true;
}

function readFields(cursor: Cursor, reader: Reader): Record<string, unknown> | null {
  const out: Record<string, unknown> = { ...reader.blank };
  while (cursor.at < cursor.end) {
    if (!cursor.readVarint() || cursor.high !== 0 || cursor.low < 8) return null;
    const slot = reader.slots[cursor.low >>> 3];
    const wireType = cursor.low & 7;
    if (wireType === wireTypes.varint) {
      if (!cursor.readVarint()) return null;
      if (slot === undefined) continue;
      if (slot.type === 'int') out[slot.name] = cursor.int;
      else if (slot.type === 'low') out[slot.name] = cursor.low;
      else if (slot.type === 'big') out[slot.name] = cursor.big;
      else return null;
    } else if (wireType === wireTypes.bytes) {
      if (!readBytes(cursor, slot, out)) return null;
    } else if (slot === undefined && wireType === wireTypes.eightBytes) {
      if (!cursor.skip(8)) return null;
    } else if (slot === undefined && wireType === wireTypes.fourBytes) {
      if (!cursor.skip(4)) return null;
    } else return null;
  }
  return out;
}

/** Makes a function that reads messages of one shape. */
export function messageReader<const S extends Shape>(shape: S): (bytes: Uint8Array) => Parsed<S> | null {
  const reader = prepare(shape);
  return (bytes) => readFields(new Cursor(bytes, 0, bytes.length), reader) as Parsed<S> | null;
}
