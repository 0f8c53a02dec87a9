import { createHash } from 'node:crypto';
import type { Gathering } from '../native/gathering.ts';
import { hex } from '../native/wording.ts';
import type { PeImage } from './image.ts';

const rich = 0x68636952;
const dans = 0x536e6144;
const mostEntries = 200;

/** The list of tools that Microsoft's linker hides between the DOS stub and the PE header. */
export function describeRich(image: PeImage, gathering: Gathering): void {
  const { reader, peOffset } = image;
  const limit = Math.min(peOffset, 4096, reader.length - 8);
  let end = -1;
  for (let at = 0x80; at <= limit; at += 4) if (reader.u32(at) === rich) end = end === -1 ? at : end;
  if (end === -1) return;
  const key = reader.u32(end + 4);
  let start = -1;
  for (let at = end - 4; at >= 0x40; at -= 4) {
    if ((reader.u32(at) ^ key) >>> 0 !== dans) continue;
    start = at;
    break;
  }
  if (start === -1) {
    gathering.notes.push('rich header: it ends but does not begin');
    return;
  }
  const clear = Buffer.from(reader.slice(start, end - start));
  const mask = Buffer.alloc(4);
  mask.writeUInt32LE(key);
  for (let at = 0; at < clear.length; at += 1) clear[at] = (clear[at] ?? 0) ^ (mask[at % 4] ?? 0);
  const entries = [];
  for (let at = 16; at + 8 <= clear.length && entries.length < mostEntries; at += 8)
    entries.push({
      build: clear.readUInt16LE(at),
      product: clear.readUInt16LE(at + 2),
      count: clear.readUInt32LE(at + 4),
    });
  const computed = checksumOf(reader.slice(0, start), entries);
  gathering.facts.rich_header = {
    offset: start,
    key: hex(key),
    checksum_valid: computed === key,
    hash: createHash('md5').update(clear).digest('hex'),
    entries,
  };
  if (computed === key) return;
  gathering.find({
    rule: 'pe.rich.checksum',
    title: 'The list of build tools (rich header) does not match the file',
    severity: 'low',
    evidenceType: 'structural',
    evidence: [{ where: `offset ${hex(start)}`, text: `stored ${hex(key)}, computed ${hex(computed)}` }],
    benign: 'Tools that change the DOS stub or patch headers after linking break it without any intent.',
    attack: ['T1036'],
  });
}

function rotate(value: number, by: number): number {
  const turn = by % 32;
  return turn === 0 ? value : ((value << turn) | (value >>> (32 - turn))) >>> 0;
}

/** The key of the header is a sum over the DOS header (without the pointer at 0x3c) and the entries. */
function checksumOf(
  stub: Uint8Array,
  entries: readonly { readonly build: number; readonly product: number; readonly count: number }[],
): number {
  let sum = stub.length;
  stub.forEach((value, at) => {
    if (at < 0x3c || at >= 0x40) sum = (sum + rotate(value, at)) >>> 0;
  });
  for (const { build, product, count } of entries) sum = (sum + rotate(((product << 16) | build) >>> 0, count)) >>> 0;
  return sum >>> 0;
}
