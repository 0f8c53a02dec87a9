import type { Gathering } from '../native/gathering.ts';
import { hexOf, tidy } from '../native/wording.ts';
import { makeReader } from '../reader.ts';
import type { ElfImage } from './image.ts';

interface ElfNote {
  readonly owner: string;
  readonly type: number;
  readonly content: Uint8Array;
}

const mostNotes = 1000;
const align = (value: number): number => (value + 3) & ~3;

function readNotes(image: ElfImage): ElfNote[] {
  const places = [
    ...image.segments.filter(({ type }) => type === 4).map(({ offset, fileSize }) => ({ offset, size: fileSize })),
    ...image.sections.filter(({ type }) => type === 7).map(({ offset, size }) => ({ offset, size })),
  ];
  const seen = new Set<number>();
  const notes: ElfNote[] = [];
  for (const { offset, size } of places.slice(0, 64)) {
    const reader = makeReader(image.reader.cut(offset, size), image.order);
    let at = 0;
    while (at + 12 <= reader.length && notes.length < mostNotes) {
      const [nameSize, length] = [reader.u32(at), reader.u32(at + 4)];
      const from = at + 12 + align(nameSize);
      if (nameSize > 256 || !(from + length <= reader.length)) break;
      const key = offset + at;
      if (!seen.has(key))
        notes.push({
          owner: reader.cString(at + 12, Math.max(nameSize, 1)),
          type: reader.u32(at + 8),
          content: reader.slice(from, length),
        });
      seen.add(key);
      at = from + align(length);
    }
  }
  return notes;
}

const systems: Readonly<Record<number, string>> = { 0: 'Linux', 1: 'Hurd', 2: 'Solaris', 3: 'FreeBSD' };

export function describeNotes(image: ElfImage, { facts }: Gathering): void {
  const notes = readNotes(image);
  facts.notes = notes
    .slice(0, 50)
    .map(({ owner, type, content }) => ({ owner: tidy(owner, 64), type, size: content.length }));
  const find = (owner: string, type: number): ElfNote | undefined =>
    notes.find((note) => note.owner === owner && note.type === type);
  const buildId = find('GNU', 3);
  if (buildId !== undefined) facts.build_id = hexOf(buildId.content.subarray(0, 64));
  const abi = find('GNU', 1);
  if (abi !== undefined && abi.content.length >= 16) {
    const reader = makeReader(abi.content, image.order);
    facts.minimum_system = `${systems[reader.u32(0)] ?? 'unknown'} ${reader.u32(4)}.${reader.u32(8)}.${reader.u32(12)}`;
  }
  const go = find('Go', 4);
  if (go !== undefined) facts.go_build_id = tidy(Buffer.from(go.content).toString('latin1'), 200);
  if (image.type === 4) facts.core = describeCore(image, notes);
}

/** Which process a core dump is of. */
function describeCore(image: ElfImage, notes: readonly ElfNote[]) {
  const process = notes.find(({ owner, type }) => owner === 'CORE' && type === 3);
  const from = image.is64 ? 40 : 28;
  const text = (at: number, length: number): string | null =>
    process === undefined || process.content.length < at + length
      ? null
      : tidy(makeReader(process.content).cString(at, length), length);
  return {
    program: text(from, 16),
    arguments: text(from + 16, 80),
    thread_count: notes.filter(({ owner, type }) => owner === 'CORE' && type === 1).length,
    memory_segments: image.segments.filter(({ type }) => type === 1).length,
  };
}
