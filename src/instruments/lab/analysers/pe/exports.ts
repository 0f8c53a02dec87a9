import type { Gathering } from '../native/gathering.ts';
import { capped, tidy, timeOf } from '../native/wording.ts';
import { attempt } from '../reader.ts';
import type { PeImage } from './image.ts';

const mostExports = 16_384;
const mostListed = 1000;

interface PeExport {
  readonly ordinal: number;
  readonly name: string | null;
  readonly rva: number;
  readonly forwarder: string | null;
}

export function describeExports(image: PeImage, { facts, input }: Gathering): void {
  const directory = image.directory('export');
  if (directory === undefined) return;
  const { reader } = image;
  const at = image.offsetOf(directory.rva);
  const base = reader.u32(at + 16);
  const functionCount = reader.u32(at + 20);
  const names = namesByIndex(image, at, input.tick);
  const functions = image.offsetOf(reader.u32(at + 28));
  const list: PeExport[] = [];
  for (let index = 0; index < Math.min(functionCount, mostExports); index += 1) {
    if (index % 4096 === 0) input.tick();
    if (functions + index * 4 + 4 > reader.length) break;
    const rva = reader.u32(functions + index * 4);
    if (rva === 0) continue;
    const inside = rva >= directory.rva && rva < directory.rva + directory.size;
    const forwarder = inside ? (attempt(() => reader.cString(image.offsetOf(rva), 256)) ?? null) : null;
    list.push({ ordinal: base + index, name: names.get(index) ?? null, rva, forwarder });
  }
  const time = timeOf(reader.u32(at + 4));
  facts.export_module = tidy(attempt(() => reader.cString(image.offsetOf(reader.u32(at + 12)), 256)) ?? '', 256);
  facts.export_timestamp = time.iso;
  facts.export_count = list.length;
  facts.exports = capped(list, mostListed).map(({ name, ordinal }) => tidy(name ?? `#${ordinal}`, 400));
  const forwarded = list.filter(({ forwarder }) => forwarder !== null);
  if (forwarded.length > 0) {
    facts.forwarded_export_count = forwarded.length;
    facts.forwarded_exports = capped(forwarded, 200).map(({ name, ordinal, forwarder }) => ({
      name: tidy(name ?? `#${ordinal}`, 400),
      to: tidy(forwarder ?? '', 200),
    }));
  }
}

function namesByIndex(image: PeImage, at: number, tick: () => void): Map<number, string> {
  const { reader } = image;
  const found = new Map<number, string>();
  const count = Math.min(reader.u32(at + 24), mostExports);
  if (count === 0) return found;
  const names = image.offsetOf(reader.u32(at + 32));
  const ordinals = image.offsetOf(reader.u32(at + 36));
  for (let index = 0; index < count; index += 1) {
    if (index % 4096 === 0) tick();
    const name = attempt(() => reader.cString(image.offsetOf(reader.u32(names + index * 4)), 512));
    const slot = attempt(() => reader.u16(ordinals + index * 2));
    if (name === undefined || slot === undefined) break;
    if (!found.has(slot)) found.set(slot, name);
  }
  return found;
}
