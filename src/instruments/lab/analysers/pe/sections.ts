import type { Gathering } from '../native/gathering.ts';
import { hex, tidy } from '../native/wording.ts';
import { loadedOffset, type PeImage, type PeSection } from './image.ts';
import { executeBit, readBit, sectionBits, writeBit } from './names.ts';

export interface MeasuredSection extends PeSection {
  readonly entropy: number | null;
  readonly presentBytes: number;
  readonly writable: boolean;
  readonly executable: boolean;
}

export function measureSections(
  image: PeImage,
  measure: (piece: Uint8Array) => number | null,
): readonly MeasuredSection[] {
  return image.sections.map((section) => {
    const piece = image.reader.cut(loadedOffset(section, image.fileAlignment), section.rawSize);
    return {
      ...section,
      entropy: measure(piece),
      presentBytes: piece.length,
      writable: (section.flags & writeBit) !== 0,
      executable: (section.flags & executeBit) !== 0,
    };
  });
}

const mostListed = 96;

export function describeSections(image: PeImage, sections: readonly MeasuredSection[], gathering: Gathering): void {
  const { facts, notes } = gathering;
  facts.section_count = image.declaredSections;
  facts.sections = sections.slice(0, mostListed).map((section) => ({
    name: tidy(section.name, 64),
    virtual_address: hex(section.virtualAddress),
    virtual_size: section.virtualSize,
    raw_offset: section.rawOffset,
    raw_size: section.rawSize,
    entropy: section.entropy,
    flags: permissions(section.flags),
    contains: contents(section.flags),
  }));
  if (image.declaredSections > sections.length)
    notes.push(`${image.declaredSections} sections are declared, ${sections.length} were read`);
  findWritableCode(sections, gathering);
  findDense(sections, gathering);
  findMismatch(sections, gathering);
}

const permissions = (flags: number): string =>
  `${flags & readBit ? 'r' : '-'}${flags & writeBit ? 'w' : '-'}${flags & executeBit ? 'x' : '-'}`;

const contents = (flags: number): string[] =>
  Object.entries(sectionBits).flatMap(([name, bit]) => ((flags & bit) !== 0 ? [name] : []));

const show = (section: MeasuredSection): { where: string; text: string } => ({
  where: `section ${tidy(section.name, 32)}`,
  text: `entropy ${section.entropy ?? 'not measured'}, ${section.rawSize} bytes in the file, ${section.virtualSize} in memory`,
});

function findWritableCode(sections: readonly MeasuredSection[], gathering: Gathering): void {
  const both = sections.filter(({ writable, executable }) => writable && executable);
  if (both.length === 0) return;
  gathering.find({
    rule: 'pe.section.writable-code',
    title: 'Sections that can be written to and executed',
    severity: 'medium',
    evidenceType: 'structural',
    evidence: both.map(show),
    benign: 'Packers of commercial software, older compilers and just-in-time runtimes ask for this too.',
    mbc: ['F0001'],
    attack: ['T1027.002'],
  });
}

/** Resources have a finding of their own, and debug data is compressed by habit. */
function findDense(sections: readonly MeasuredSection[], gathering: Gathering): void {
  const dense = sections.filter(
    ({ entropy, presentBytes, name }) =>
      (entropy ?? 0) >= 7.2 && presentBytes >= 1024 && !/^\.(?:rsrc$|z?debug)/.test(name),
  );
  if (dense.length === 0) return;
  gathering.find({
    rule: 'pe.section.high-entropy',
    title: 'Sections whose content is compressed or encrypted',
    severity: dense.some(({ executable }) => executable) ? 'medium' : 'low',
    evidenceType: 'structural',
    evidence: dense.map(show),
    benign: 'Installers, games and programs with compressed resources have such sections.',
    attack: ['T1027.002'],
    mbc: ['F0001'],
  });
}

function findMismatch(sections: readonly MeasuredSection[], gathering: Gathering): void {
  const grown = sections.filter(
    ({ executable, rawSize, virtualSize }) =>
      executable && virtualSize > 4096 && virtualSize > 4 * Math.max(rawSize, 1),
  );
  if (grown.length === 0) return;
  gathering.find({
    rule: 'pe.section.grows-in-memory',
    title: 'Executable sections that are much larger in memory than in the file',
    severity: 'medium',
    evidenceType: 'structural',
    evidence: grown.map(show),
    benign: 'Files packed to save space have this: the room is where the code is unpacked to.',
    attack: ['T1027.002'],
    mbc: ['F0001'],
  });
}
