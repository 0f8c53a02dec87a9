import type { Gathering } from '../native/gathering.ts';
import { hex, tidy } from '../native/wording.ts';
import { attempt } from '../reader.ts';
import type { ElfImage } from './image.ts';
import { abis, machines, sectionTypes, segmentTypes, types } from './names.ts';

type Measure = (piece: Uint8Array) => number | null;
const mostListed = 96;

export function describeHeader(image: ElfImage, { facts }: Gathering): void {
  Object.assign(facts, {
    format: image.is64 ? 'ELF64' : 'ELF32',
    bits: image.is64 ? 64 : 32,
    byte_order: image.order,
    machine: machines[image.machine] ?? hex(image.machine),
    type: types[image.type] ?? hex(image.type),
    abi: abis[image.abi] ?? hex(image.abi),
    abi_version: image.abiVersion,
    machine_flags: hex(image.flags),
    entry_point: hex(image.entry),
    interpreter: interpreterOf(image),
    segment_count: image.declaredSegments,
    section_count: image.declaredSections,
  });
}

export function interpreterOf(image: ElfImage): string | null {
  const segment = image.segments.find(({ type }) => type === 3);
  if (segment === undefined) return null;
  const text = attempt(() => image.reader.cString(segment.offset, Math.min(Math.max(segment.fileSize, 1), 512)));
  return text === undefined ? null : tidy(text, 512);
}

const segmentFlags = (flags: number): string =>
  `${flags & 4 ? 'r' : '-'}${flags & 2 ? 'w' : '-'}${flags & 1 ? 'x' : '-'}`;
const sectionFlags = (flags: number): string =>
  `${flags & 2 ? 'a' : '-'}${flags & 1 ? 'w' : '-'}${flags & 4 ? 'x' : '-'}`;

export function describeSegments(image: ElfImage, measure: Measure, gathering: Gathering): void {
  const segments = image.segments.map((segment) => ({
    segment,
    entropy: segment.type === 1 ? measure(image.reader.cut(segment.offset, segment.fileSize)) : null,
  }));
  gathering.facts.segments = segments.slice(0, mostListed).map(({ segment, entropy }) => ({
    type: segmentTypes[segment.type] ?? hex(segment.type),
    offset: segment.offset,
    address: hex(segment.address),
    file_size: segment.fileSize,
    memory_size: segment.memorySize,
    flags: segmentFlags(segment.flags),
    entropy,
  }));
  const both = segments.filter(({ segment: { type, flags } }) => type === 1 && (flags & 3) === 3);
  if (both.length > 0)
    gathering.find({
      rule: 'elf.segment.writable-code',
      title: 'Memory that can be written to and executed',
      severity: 'medium',
      evidenceType: 'structural',
      evidence: both.map(({ segment }) => ({
        where: `segment at offset ${hex(segment.offset)}`,
        text: segmentFlags(segment.flags),
      })),
      benign: 'Packed programs, boot loaders and very old compilers ask for this.',
      attack: ['T1027.002'],
      mbc: ['F0001'],
    });
  const dense = segments.filter(
    ({ segment, entropy }) => (entropy ?? 0) >= 7.2 && segment.fileSize >= 4096 && (segment.flags & 1) === 1,
  );
  if (dense.length > 0)
    gathering.find({
      rule: 'elf.segment.high-entropy',
      title: 'Executable memory whose content is compressed or encrypted',
      severity: 'medium',
      evidenceType: 'structural',
      evidence: dense.map(({ segment, entropy }) => ({
        where: `segment at offset ${hex(segment.offset)}`,
        text: `entropy ${entropy}, ${segment.fileSize} bytes`,
      })),
      benign: 'Packers save space on small devices, and programs may carry compressed data beside their code.',
      attack: ['T1027.002'],
      mbc: ['F0001'],
    });
}

export function describeSections(image: ElfImage, measure: Measure, { facts }: Gathering): void {
  facts.sections = image.sections.slice(0, mostListed).map((section) => ({
    name: tidy(section.name, 64),
    type: sectionTypes[section.type] ?? hex(section.type),
    address: hex(section.address),
    offset: section.offset,
    size: section.size,
    flags: sectionFlags(section.flags),
    entropy: section.type === 8 || section.type === 0 ? null : measure(image.reader.cut(section.offset, section.size)),
  }));
  const comment = image.section('.comment');
  if (comment === undefined) return;
  const text = Buffer.from(image.reader.cut(comment.offset, Math.min(comment.size, 8192))).toString('latin1');
  const compilers = text.split('\0').filter((one) => one !== '');
  facts.compilers = [...new Set(compilers)].slice(0, 20).map((one) => tidy(one, 200));
}
