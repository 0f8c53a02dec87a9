/**
 * DNS messages (RFC 1035). Only questions are read, because only the box asks; answers are only written.
 *
 *     id(2) flags(2) questions(2) answers(2) authorities(2) additionals(2) | question… | records…
 *     question: name, type(2), class(2)        name: length, label, …, 0   or a pointer 0b11…… to an earlier place
 */

export const recordTypes = {
  A: 1,
  NS: 2,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  OPT: 41,
  ANY: 255,
} as const;

export interface Question {
  /** Labels as they are, bytes included; see `nameText` for people. */
  readonly labels: readonly Buffer[];
  readonly type: number;
  readonly class: number;
}

export interface Query {
  readonly id: number;
  readonly flags: number;
  readonly questions: readonly Question[];
  /** How large an answer over UDP may be. */
  readonly udpBytes: number;
  readonly hasOptions: boolean;
}

const headerBytes = 12;
const longestName = 255;
const mostQuestions = 8;
const mostRecords = 16;
const smallestUdpBytes = 512;
const largestUdpBytes = 4096;

interface ReadName {
  readonly labels: readonly Buffer[];
  readonly next: number;
}

/** Null for a name that is cut off, too long, or whose pointers do not strictly go back. */
function readName(bytes: Buffer, start: number): ReadName | null {
  const labels: Buffer[] = [];
  let at = start;
  let next = -1;
  let lowest = start;
  let size = 1;
  for (;;) {
    const length = bytes[at];
    if (length === undefined) return null;
    if (length === 0) return { labels, next: next < 0 ? at + 1 : next };
    if (length >= 0xc0) {
      const low = bytes[at + 1];
      if (low === undefined) return null;
      const target = ((length & 0x3f) << 8) | low;
      if (next < 0) next = at + 2;
      if (target >= lowest) return null;
      lowest = target;
      at = target;
      continue;
    }
    if (length > 63) return null;
    const label = bytes.subarray(at + 1, at + 1 + length);
    size += 1 + length;
    if (label.length < length || size > longestName) return null;
    labels.push(label);
    at += 1 + length;
  }
}

function readOptions(bytes: Buffer, start: number, records: number): number | null {
  let at = start;
  for (let record = 0; record < Math.min(records, mostRecords); record += 1) {
    const name = readName(bytes, at);
    if (name === null || name.next + 10 > bytes.length) return null;
    if (bytes.readUInt16BE(name.next) === recordTypes.OPT) return bytes.readUInt16BE(name.next + 2);
    at = name.next + 10 + bytes.readUInt16BE(name.next + 8);
  }
  return null;
}

/** Null for what is not a question in DNS. */
export function readQuery(bytes: Buffer): Query | null {
  if (bytes.length < headerBytes) return null;
  const flags = bytes.readUInt16BE(2);
  const count = bytes.readUInt16BE(4);
  const isAnswer = (flags & 0x8000) !== 0;
  if (isAnswer || count === 0 || count > mostQuestions) return null;
  const questions: Question[] = [];
  let at = headerBytes;
  for (let question = 0; question < count; question += 1) {
    const name = readName(bytes, at);
    if (name === null || name.next + 4 > bytes.length) return null;
    const [type, cls] = [bytes.readUInt16BE(name.next), bytes.readUInt16BE(name.next + 2)];
    questions.push({ labels: name.labels, type, class: cls });
    at = name.next + 4;
  }
  const others = bytes.readUInt16BE(6) + bytes.readUInt16BE(8) + bytes.readUInt16BE(10);
  const offered = readOptions(bytes, at, others);
  const udpBytes = Math.min(Math.max(offered ?? 0, smallestUdpBytes), largestUdpBytes);
  return { id: bytes.readUInt16BE(0), flags, questions, udpBytes, hasOptions: offered !== null };
}

/** As in a zone file: dots and bytes that are not printable are written `\.` and `\DDD`. */
export function nameText(labels: readonly Buffer[]): string {
  const texts = labels.map((label) =>
    Array.from(label, (byte) => {
      const character = String.fromCharCode(byte);
      if (character === '.' || character === '\\') return `\\${character}`;
      return byte > 0x20 && byte < 0x7f ? character : `\\${byte.toString().padStart(3, '0')}`;
    }).join(''),
  );
  return texts.join('.');
}

export function labelsOf(name: string): readonly Buffer[] {
  const labels = name.split('.').filter((label) => label !== '');
  return labels.map((label) => Buffer.from(label, 'latin1').subarray(0, 63));
}

export function writeName(labels: readonly Buffer[]): Buffer {
  const parts = labels.flatMap((label) => [Buffer.from([label.length]), label]);
  return Buffer.concat([...parts, Buffer.from([0])]);
}

export interface Record {
  readonly labels: readonly Buffer[];
  readonly type: number;
  readonly seconds: number;
  readonly data: Buffer;
}

function writeRecord(record: Record, cls: number): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(record.type, 0);
  fixed.writeUInt16BE(cls, 2);
  fixed.writeUInt32BE(record.seconds, 4);
  fixed.writeUInt16BE(record.data.length, 8);
  return Buffer.concat([writeName(record.labels), fixed, record.data]);
}

export interface Answer {
  /** 0 fine, 1 not understood, 3 no such name. */
  readonly code: number;
  readonly records: readonly Record[];
}

const internetClass = 1;

function assemble(query: Query, answer: Answer, records: readonly Record[], isCut: boolean): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt16BE(query.id, 0);
  // An answer, recursion available, the asked operation and "recursion desired" repeated.
  header.writeUInt16BE(0x8080 | (query.flags & 0x7900) | (isCut ? 0x0200 : 0) | answer.code, 2);
  header.writeUInt16BE(query.questions.length, 4);
  header.writeUInt16BE(records.length, 6);
  header.writeUInt16BE(query.hasOptions ? 1 : 0, 10);
  const questions = query.questions.map((question) => {
    const fixed = Buffer.alloc(4);
    fixed.writeUInt16BE(question.type, 0);
    fixed.writeUInt16BE(question.class, 2);
    return Buffer.concat([writeName(question.labels), fixed]);
  });
  const written = records.map((record) => writeRecord(record, internetClass));
  const options = { labels: [], type: recordTypes.OPT, seconds: 0, data: Buffer.alloc(0) };
  const last = query.hasOptions ? [writeRecord(options, largestUdpBytes)] : [];
  return Buffer.concat([header, ...questions, ...written, ...last]);
}

/** Cut to nothing but the question when it is too large: the box then asks again over TCP. */
export function writeAnswer(query: Query, answer: Answer, largestBytes: number): Buffer {
  const whole = assemble(query, answer, answer.records, false);
  return whole.length <= largestBytes ? whole : assemble(query, answer, [], true);
}
