import { type ByteView, makeByteView } from '../byte-view.ts';

export interface DnsRecord {
  readonly name: string;
  readonly type: string;
  readonly value?: string;
}
export interface DnsMessage {
  readonly id: number;
  readonly response: boolean;
  readonly code: number;
  readonly questions: readonly DnsRecord[];
  readonly answers: readonly DnsRecord[];
}

const types: Readonly<Record<number, string>> = {
  1: 'A',
  2: 'NS',
  5: 'CNAME',
  6: 'SOA',
  10: 'NULL',
  12: 'PTR',
  15: 'MX',
  16: 'TXT',
  28: 'AAAA',
  33: 'SRV',
  65: 'HTTPS',
  255: 'ANY',
};
const mostRecords = 100;

function readName(view: ByteView, from: number): { name: string; next: number } {
  const labels: string[] = [];
  let at = from;
  let next = -1;
  for (let steps = 0; steps < 128; steps += 1) {
    const length = view.u8(at);
    if (length === 0) return { name: labels.join('.'), next: next < 0 ? at + 1 : next };
    if ((length & 0xc0) === 0xc0) {
      if (next < 0) next = at + 2;
      at = ((length & 0x3f) << 8) | view.u8(at + 1);
    } else {
      if (labels.length < 64) labels.push(view.latin1(at + 1, length));
      at += 1 + length;
    }
    if (at >= view.length) break;
  }
  return { name: labels.join('.'), next: next < 0 ? at + 1 : next };
}

function valueOfRecord(view: ByteView, type: number, at: number, length: number): string | undefined {
  if (type === 1 && length === 4) return Array.from(view.slice(at, 4)).join('.');
  if (type === 28 && length === 16)
    return Array.from({ length: 8 }, (_, index) => view.u16(at + index * 2).toString(16)).join(':');
  if (type === 2 || type === 5 || type === 12) return readName(view, at).name;
  if (type === 15) return readName(view, at + 2).name;
  if (type !== 16) return undefined;
  const parts: string[] = [];
  for (let here = at; here < at + length; here += 1 + view.u8(here)) parts.push(view.latin1(here + 1, view.u8(here)));
  return parts.join('');
}

export function readDns(bytes: Uint8Array): DnsMessage | undefined {
  const view = makeByteView(bytes, false);
  if (bytes.length < 17) return undefined;
  const flags = view.u16(2);
  const [questionCount, answerCount] = [view.u16(4), view.u16(6)];
  if (questionCount > 20 || questionCount + answerCount === 0 || (flags & 0x40) !== 0) return undefined;
  let at = 12;
  const questions: DnsRecord[] = [];
  for (let index = 0; index < questionCount && at < view.length; index += 1) {
    const { name, next } = readName(view, at);
    const type = view.u16(next);
    questions.push({ name, type: types[type] ?? String(type) });
    at = next + 4;
  }
  const answers: DnsRecord[] = [];
  for (let index = 0; index < Math.min(answerCount, mostRecords) && view.fits(at, 11); index += 1) {
    const { name, next } = readName(view, at);
    const type = view.u16(next);
    const length = view.u16(next + 8);
    const value = valueOfRecord(view, type, next + 10, length);
    answers.push({ name, type: types[type] ?? String(type), ...(value === undefined ? {} : { value }) });
    at = next + 10 + length;
  }
  return { id: view.u16(0), response: (flags & 0x8000) !== 0, code: flags & 15, questions, answers };
}
