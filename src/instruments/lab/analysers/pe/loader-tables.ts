import type { Gathering } from '../native/gathering.ts';
import { capped, guidOf, hex, hexOf, tidy, timeOf } from '../native/wording.ts';
import { attempt } from '../reader.ts';
import type { PeImage } from './image.ts';
import { debugTypes } from './names.ts';

const mostCallbacks = 64;

/** Functions that run before the entry point does. */
export function describeTls(image: PeImage, gathering: Gathering): void {
  const directory = image.directory('tls');
  if (directory === undefined) return;
  const { reader, is64, imageBase } = image;
  const at = image.offsetOf(directory.rva);
  const pointer = (where: number): bigint => (is64 ? reader.u64(where) : BigInt(reader.u32(where)));
  const size = is64 ? 8 : 4;
  const table = pointer(at + 3 * size);
  const callbacks: string[] = [];
  if (table !== 0n) {
    const start = attempt(() => image.offsetOf(Number(table - imageBase)));
    for (let index = 0; start !== undefined && index < mostCallbacks; index += 1) {
      const address = attempt(() => pointer(start + index * size));
      if (address === undefined || address === 0n) break;
      callbacks.push(hex(address));
    }
  }
  gathering.facts.tls = { callback_count: callbacks.length, callbacks };
  if (callbacks.length === 0) return;
  gathering.find({
    rule: 'pe.tls.callbacks',
    title: 'Code that runs before the entry point (TLS callbacks)',
    severity: 'info',
    evidenceType: 'structural',
    evidence: callbacks.map((text) => ({ where: 'TLS directory', text })),
    benign: 'C++, Rust and MinGW runtimes register such functions to set up and clear thread-local data.',
    mbc: ['B0002'],
  });
}

const mostBlocks = 65_536;

export function describeRelocations(image: PeImage, { facts, input, notes }: Gathering): void {
  const directory = image.directory('relocation');
  if (directory === undefined) return;
  const { reader } = image;
  let at = image.offsetOf(directory.rva);
  const end = Math.min(reader.length, at + directory.size);
  let count = 0;
  let blocks = 0;
  for (; at + 8 <= end && blocks < mostBlocks; blocks += 1) {
    if (blocks % 1024 === 0) input.tick();
    const size = reader.u32(at + 4);
    if (size < 8) {
      if (size !== 0) notes.push('relocations: a block is shorter than its own header');
      break;
    }
    for (let entry = at + 8; entry + 2 <= Math.min(at + size, end); entry += 2)
      if (reader.u16(entry) >>> 12 !== 0) count += 1;
    at += size;
  }
  facts.relocation_count = count;
}

const mostDebugEntries = 64;

/** Debug entries: the path of the symbol file says where the file was built. */
export function describeDebug(image: PeImage, { facts, input, text }: Gathering): void {
  const directory = image.directory('debug');
  if (directory === undefined) return;
  const { reader } = image;
  const start = image.offsetOf(directory.rva);
  const entries = [];
  for (let index = 0; index < Math.min(Math.floor(directory.size / 28), mostDebugEntries); index += 1) {
    input.tick();
    const at = start + index * 28;
    if (at + 28 > reader.length) break;
    const type = reader.u32(at + 12);
    const size = reader.u32(at + 16);
    const data = reader.cut(reader.u32(at + 24), Math.min(size, 4096));
    const stamp = reader.u32(at + 4);
    const symbols = type === 2 ? codeView(data) : undefined;
    if (type === 16) facts.reproducible_build = true;
    if (symbols !== undefined) {
      text('PDB path', symbols.pdb_path);
      facts.pdb_path = symbols.pdb_path;
    }
    entries.push({ type: debugTypes[type] ?? hex(type), size, timestamp: timeOf(stamp).iso, ...symbols });
  }
  facts.debug = capped(entries, mostDebugEntries);
}

function codeView(data: Uint8Array): { format: string; pdb_path: string; age: number; guid: string } | undefined {
  const buffer = Buffer.from(data);
  const format = buffer.subarray(0, 4).toString('latin1');
  const path = (from: number): string => tidy(buffer.subarray(from).toString('utf8').split('\0', 1)[0] ?? '', 512);
  if (format === 'RSDS' && buffer.length >= 24)
    return { format, guid: guidOf(data.subarray(4, 20)), age: buffer.readUInt32LE(20), pdb_path: path(24) };
  if (format === 'NB10' && buffer.length >= 16)
    return { format, guid: hexOf(data.subarray(8, 12)), age: buffer.readUInt32LE(12), pdb_path: path(16) };
  return undefined;
}
