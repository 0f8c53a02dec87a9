import { createHash } from 'node:crypto';
import { contentHint } from '../native/content-hint.ts';
import type { Gathering } from '../native/gathering.ts';
import { hex } from '../native/wording.ts';
import { attempt } from '../reader.ts';
import type { ElfImage } from './image.ts';

interface Anomaly {
  readonly id: string;
  readonly what: string;
  seen(image: ElfImage): string | undefined;
}

const isProgram = ({ type }: ElfImage): boolean => type === 2 || type === 3;

const table: readonly Anomaly[] = [
  {
    id: 'no-section-headers',
    what: 'there are no section headers',
    seen: (image) => (isProgram(image) && image.declaredSections === 0 ? 'removed' : undefined),
  },
  {
    id: 'section-headers-outside',
    what: 'the section headers lie outside of the file',
    seen: (image) =>
      image.declaredSections > 0 && image.sections.length < Math.min(image.declaredSections, 4096)
        ? `${image.sections.length} of ${image.declaredSections} at offset ${hex(image.sectionsOffset)}`
        : undefined,
  },
  {
    id: 'section-entry-size',
    what: 'section headers have an unusual size',
    seen: ({ sectionEntrySize, is64, declaredSections }) =>
      declaredSections > 0 && sectionEntrySize !== (is64 ? 64 : 40) ? `${sectionEntrySize} bytes` : undefined,
  },
  {
    id: 'section-names',
    what: 'the table of section names is not one',
    seen: ({ nameIndex, sections }) => {
      const names = sections[nameIndex];
      return sections.length > 1 && nameIndex !== 0 && names?.type !== 3 ? `section ${nameIndex}` : undefined;
    },
  },
  {
    id: 'segment-outside-file',
    what: 'a segment reaches beyond the end of the file',
    seen: ({ segments, reader }) => {
      const hit = segments.find(({ type, offset, fileSize }) => type === 1 && offset + fileSize > reader.length);
      return hit === undefined ? undefined : `offset ${hex(hit.offset)}, ${hit.fileSize} bytes`;
    },
  },
  {
    id: 'entry-outside',
    what: 'the entry point lies in no executable segment',
    seen: (image) => {
      const address = Number(image.entry);
      const hit = image.segments.some(
        (one) =>
          one.type === 1 && (one.flags & 1) === 1 && address >= one.address && address < one.address + one.memorySize,
      );
      return image.type === 2 && image.segments.length > 0 && !hit ? hex(image.entry) : undefined;
    },
  },
  {
    id: 'text-not-mapped',
    what: 'the section of the code is not what the loader maps there',
    seen: (image) => {
      const text = image.section('.text');
      if (text === undefined || !isProgram(image) || text.type === 8) return undefined;
      const mapped = attempt(() => image.offsetOf(text.address));
      return mapped === undefined || mapped === text.offset
        ? undefined
        : `section says ${hex(text.offset)}, segments ${hex(mapped)}`;
    },
  },
];

export function describeAnomalies(image: ElfImage, gathering: Gathering): void {
  const found = table.flatMap(({ id, what, seen }) => {
    const value = seen(image);
    return value === undefined ? [] : [{ id, what, value }];
  });
  gathering.facts.anomalies = found.map(({ id }) => id);
  if (found.length === 0) return;
  gathering.find({
    rule: 'elf.header.anomaly',
    title: 'Headers that usual linkers do not write',
    severity: 'low',
    evidenceType: 'structural',
    evidence: found.map(({ what, value }) => ({ where: what, text: value })),
    benign: 'Firmware, very small programs, packers and cut downloads have unusual headers.',
    attack: ['T1027.008'],
  });
}

/** What the packer UPX leaves: its mark beside the headers, and a line of text. */
export function describePacker(image: ElfImage, gathering: Gathering): void {
  const { reader } = image;
  const head = Buffer.from(reader.cut(0, 4096));
  const tail = Buffer.from(reader.cut(Math.max(0, reader.length - 4096), 4096));
  const marks = [
    ...(head.includes('UPX!') ? [{ where: 'beside the headers', text: 'UPX!' }] : []),
    ...(tail.includes('UPX!') ? [{ where: 'at the end of the file', text: 'UPX!' }] : []),
    ...(head.includes('$Info: This file is packed') || tail.includes('$Info: This file is packed')
      ? [{ where: 'text', text: '$Info: This file is packed' }]
      : []),
  ];
  gathering.facts.packer = marks.length > 0 ? 'UPX' : null;
  if (marks.length === 0) return;
  gathering.find({
    rule: 'elf.packer',
    title: 'The layout is that of a packed program',
    severity: 'low',
    evidenceType: 'structural',
    evidence: marks,
    benign: 'UPX is used to make ordinary programs smaller.',
    attack: ['T1027.002'],
    mbc: ['F0001', 'F0001.008'],
  });
}

export function describeOverlay(
  image: ElfImage,
  measure: (piece: Uint8Array) => number | null,
  gathering: Gathering,
): void {
  const { reader } = image;
  const ends = [
    ...image.segments.map(({ offset, fileSize }) => offset + fileSize),
    ...image.sections.filter(({ type }) => type !== 8).map(({ offset, size }) => offset + size),
    image.sectionsOffset + image.sectionEntrySize * image.declaredSections,
    image.segmentsOffset,
  ];
  const end = Math.max(0, ...ends.filter((one) => one <= reader.length));
  const rest = reader.cut(end, reader.length - end);
  if (rest.length === 0 || ends.some((one) => one > reader.length)) return;
  const hint = contentHint(rest);
  const entropy = measure(rest);
  gathering.facts.overlay = {
    offset: end,
    size: rest.length,
    entropy,
    content: hint,
    sha256: rest.length <= 67_108_864 ? createHash('sha256').update(rest).digest('hex') : null,
  };
  if (hint !== null) gathering.child({ name: 'overlay', bytes: rest, how: `overlay at offset ${hex(end)}` });
  const python = Buffer.from(rest.buffer, rest.byteOffset, rest.length).lastIndexOf(
    Buffer.from('MEI\x0c\x0b\x0a\x0b\x0e', 'latin1'),
  );
  if (python !== -1) gathering.facts.installers = ['pyinstaller'];
  gathering.find({
    rule: 'elf.overlay.present',
    title: 'Data is appended behind the program',
    severity: 'info',
    evidenceType: 'structural',
    evidence: [
      {
        where: `offset ${hex(end)}`,
        text: `${rest.length} bytes, entropy ${entropy ?? 'not measured'}, ${hint ?? 'no known beginning'}`,
      },
    ],
    benign: 'AppImages, self-extracting installers and bundled scripts keep their data there.',
    attack: ['T1027.009'],
  });
}
