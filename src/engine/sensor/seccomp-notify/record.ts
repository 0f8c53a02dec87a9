import { PageWriter, pageBytes, type RecordMemory } from './record-memory.ts';

/**
 * What the serving thread writes down while a caller waits, for its owner to make sense of: the thread does nothing that
 * can be done later and elsewhere. Records lie one after the other, in words of 32 bits:
 *
 *   0 bytes of the record | 1 type | 2 pid | 3 call or parent | 4 state | 5 pieces | 6-7 monotonic ns | 8-9 wall ms
 *   10-15 lower halves of the arguments | 16... pieces: a head of one word, and bytes up to a full word
 */

export const recordTypes = { call: 0, met: 1, ended: 2 } as const;

/** Of a call, and of a process that ended by itself or not. */
export const states = { plain: 0, invalid: 1, succeeded: 2, failed: 3, unknown: 4 } as const;

const word = 4;
const headWords = 16;
const stateAt = 4;
const piecesAt = 5;
const cutBit = 0x8000_0000;
const absentBit = 0x4000_0000;
const lengthMask = 0x3fff_ffff;

/** Room for the largest record there is, and then some. */
const roomBytes = 512 * 1024;

function padded(length: number): number {
  return (length + word - 1) & -word;
}

export class RecordWriter {
  readonly bytes: Buffer;
  readonly #pages: PageWriter;
  readonly #words: Uint32Array;
  readonly #doubles: Float64Array;
  #start = 0;
  #end = 0;
  #last = pageBytes - roomBytes;
  #isStuck = false;

  constructor(memory: RecordMemory) {
    this.bytes = Buffer.from(memory.records);
    this.#pages = new PageWriter(memory);
    this.#words = new Uint32Array(memory.records);
    this.#doubles = new Float64Array(memory.records);
  }

  /** Nobody has read anything for so long that nothing more can be written. */
  get isStuck(): boolean {
    return this.#isStuck;
  }

  setStanding(isStanding: boolean): void {
    this.#pages.setStanding(isStanding);
  }

  /** Where the next piece is going to lie. */
  get offset(): number {
    return this.#end + word;
  }

  /** Blocks while the reader is behind. */
  begin(type: number, pid: number, third: number, monotonicNs: number, wallMs: number): void {
    if (this.#start > this.#last) this.#turnPage();
    const at = this.#start / word;
    const words = this.#words;
    words[at + 1] = type;
    words[at + 2] = pid;
    words[at + 3] = third;
    words[at + stateAt] = states.plain;
    words[at + piecesAt] = 0;
    this.#doubles[at / 2 + 3] = monotonicNs;
    this.#doubles[at / 2 + 4] = wallMs;
    this.#end = this.#start + headWords * word;
  }

  setArgument(at: number, value: number): void {
    this.#words[this.#start / word + 10 + at] = value;
  }

  /** `length` bytes have been put at `offset`. */
  addPiece(length: number, isCut: boolean): void {
    this.#words[this.#end / word] = isCut ? length + cutBit : length;
    this.#end += word + padded(length);
    this.#countPiece();
  }

  addAbsent(): void {
    this.#words[this.#end / word] = absentBit;
    this.#end += word;
    this.#countPiece();
  }

  add(bytes: Uint8Array, isCut = false): void {
    this.bytes.set(bytes, this.offset);
    this.addPiece(bytes.length, isCut);
  }

  #countPiece(): void {
    const at = this.#start / word + piecesAt;
    this.#words[at] = (this.#words[at] ?? 0) + 1;
  }

  /** The record counts from here on. */
  commit(state: number): void {
    this.#finish(state);
    this.#start = this.#end;
    this.#pages.publish(this.#end);
  }

  /** Takes the record out again, to be put back later. */
  withdraw(): Buffer {
    this.#finish(states.plain);
    const record = Buffer.from(this.bytes.subarray(this.#start, this.#end));
    this.#end = this.#start;
    return record;
  }

  putBack(record: Buffer, state: number): void {
    if (this.#start > this.#last) this.#turnPage();
    this.bytes.set(record, this.#start);
    this.#end = this.#start + record.length;
    this.commit(state);
  }

  #turnPage(): void {
    this.#isStuck = !this.#pages.turn();
    if (this.#isStuck) throw new Error('nobody took the records of system calls');
    this.#start = this.#pages.start;
    this.#last = this.#start + pageBytes - roomBytes;
  }

  #finish(state: number): void {
    this.#end = (this.#end + 7) & -8;
    const at = this.#start / word;
    this.#words[at] = this.#end - this.#start;
    this.#words[at + stateAt] = state;
  }
}

export interface Piece {
  readonly bytes: Buffer;
  /** There was more, or it could not be read. */
  readonly isCut: boolean;
}

/** Goes through the records of a chunk. They are our own, so a broken one is a fault of ours and may throw. */
export class RecordReader {
  readonly #bytes: Buffer;
  readonly #words: Uint32Array;
  readonly #doubles: Float64Array;
  #at = 0;
  #next = 0;
  /** Bytes where the pieces begin; found when they are asked for. */
  #pieces: number[] = [];

  constructor(chunk: Uint8Array) {
    // Words have to lie at multiples of their size.
    const own = chunk.byteOffset % 8 === 0 ? chunk : chunk.slice();
    this.#bytes = Buffer.from(own.buffer, own.byteOffset, own.length);
    this.#words = new Uint32Array(own.buffer, own.byteOffset, own.length / word);
    this.#doubles = new Float64Array(own.buffer, own.byteOffset, own.length / 8);
  }

  /** False at the end. */
  next(): boolean {
    this.#at = this.#next;
    if (this.#at * word >= this.#bytes.length) return false;
    this.#next += this.#word(0) / word;
    this.#pieces = [];
    return true;
  }

  #word(index: number): number {
    const value = this.#words[this.#at + index];
    if (value === undefined) throw new RangeError('a record ends too early');
    return value;
  }

  get type(): number {
    return this.#word(1);
  }

  get pid(): number {
    return this.#word(2);
  }

  get third(): number {
    return this.#word(3);
  }

  get state(): number {
    return this.#word(stateAt);
  }

  get monotonicNs(): number {
    return this.#doubles[this.#at / 2 + 3] ?? 0;
  }

  get wallMs(): number {
    return this.#doubles[this.#at / 2 + 4] ?? 0;
  }

  get pieceCount(): number {
    return this.#word(piecesAt);
  }

  int(at: number): number {
    return this.#word(10 + at) | 0;
  }

  /** Null where there was nothing to read. */
  piece(at: number): Piece | null {
    if (at >= this.pieceCount) return null;
    while (this.#pieces.length <= at) this.#pieces.push(this.#pieceAfterLast());
    const place = this.#pieces[at] ?? 0;
    const head = this.#words[place] ?? absentBit;
    if ((head & absentBit) !== 0) return null;
    const start = (place + 1) * word;
    return { bytes: this.#bytes.subarray(start, start + (head & lengthMask)), isCut: head >= cutBit };
  }

  #pieceAfterLast(): number {
    const last = this.#pieces.at(-1);
    if (last === undefined) return this.#at + headWords;
    return last + 1 + padded((this.#words[last] ?? 0) & lengthMask) / word;
  }
}
