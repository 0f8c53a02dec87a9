import type { Gathering } from '../native/gathering.ts';
import { hex } from '../native/wording.ts';
import { makeReader } from '../reader.ts';
import { cpuTypes } from './names.ts';

const mostSlices = 32;
const magics: Readonly<Record<number, number>> = { 3405691582: 20, 3405691583: 32 };

/** A file with one program per processor. Each is a file of its own, so each becomes a child. */
export function describeUniversal(gathering: Gathering): boolean {
  const { bytes, tick } = gathering.input;
  const reader = makeReader(bytes, 'big');
  if (reader.length < 8) return false;
  const entrySize = magics[reader.u32(0)];
  if (entrySize === undefined) return false;
  const declared = reader.u32(4);
  const slices = [];
  for (let index = 0; index < Math.min(declared, mostSlices); index += 1) {
    tick();
    const at = 8 + index * entrySize;
    if (at + entrySize > reader.length) break;
    const wide = entrySize === 32;
    const cpu = cpuTypes[reader.u32(at)] ?? hex(reader.u32(at));
    const offset = wide ? reader.size64(at + 8) : reader.u32(at + 8);
    const size = wide ? reader.size64(at + 16) : reader.u32(at + 12);
    const slice = reader.cut(offset, size);
    slices.push({ cpu, offset, size, complete: slice.length === size });
    if (slice.length > 0)
      gathering.child({ name: `slice-${cpu}`, bytes: slice, how: `slice for ${cpu} at offset ${hex(offset)}` });
  }
  Object.assign(gathering.facts, { format: 'Mach-O universal', slice_count: declared, slices });
  if (slices.length < declared) gathering.notes.push(`${declared} slices are declared, ${slices.length} were read`);
  if (slices.some(({ complete }) => !complete)) gathering.notes.push('a slice reaches beyond the end of the file');
  return true;
}
