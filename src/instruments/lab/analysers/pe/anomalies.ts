import type { Gathering } from '../native/gathering.ts';
import { hex, tidy } from '../native/wording.ts';
import { loadedOffset, type PeImage } from './image.ts';
import type { MeasuredSection } from './sections.ts';

/** Headers that no usual linker writes, each with the test that sees it. */
interface Anomaly {
  readonly id: string;
  readonly what: string;
  seen(image: PeImage, sections: readonly MeasuredSection[], reproducible: boolean): string | undefined;
}

const isPowerOfTwo = (value: number): boolean => value > 0 && (value & (value - 1)) === 0;

const table: readonly Anomaly[] = [
  {
    id: 'entry-outside',
    what: 'the entry point lies in no section',
    seen: (image) =>
      image.entryPoint !== 0 && image.sectionOf(image.entryPoint) === undefined ? hex(image.entryPoint) : undefined,
  },
  {
    id: 'entry-in-last-section',
    what: 'the entry point lies in the last section',
    seen: (image, sections) =>
      sections.length > 2 && image.entryPoint !== 0 && image.sectionOf(image.entryPoint) === image.sections.at(-1)
        ? hex(image.entryPoint)
        : undefined,
  },
  {
    id: 'entry-not-executable',
    what: 'the section of the entry point is not executable',
    seen: (image, sections) => {
      const entry = image.sectionOf(image.entryPoint);
      const section = sections.find(({ virtualAddress }) => virtualAddress === entry?.virtualAddress);
      return image.entryPoint !== 0 && section?.executable === false ? tidy(section.name, 16) : undefined;
    },
  },
  {
    id: 'no-sections',
    what: 'there are no sections',
    seen: ({ declaredSections }) => (declaredSections === 0 ? '0' : undefined),
  },
  {
    id: 'section-outside-file',
    what: 'a section reaches beyond the end of the file',
    seen: ({ reader, fileAlignment }, sections) =>
      sections
        .filter(
          (section) => section.rawSize > 0 && loadedOffset(section, fileAlignment) + section.rawSize > reader.length,
        )
        .map(({ name }) => tidy(name, 16))
        .slice(0, 5)
        .join(', ') || undefined,
  },
  {
    id: 'sections-overlap',
    what: 'sections overlap in the file',
    seen: (_image, sections) => {
      const sorted = sections
        .filter(({ rawSize }) => rawSize > 0)
        .toSorted((left, right) => left.rawOffset - right.rawOffset);
      const hit = sorted.find((section, index) => {
        const before = sorted[index - 1];
        return before !== undefined && section.rawOffset < before.rawOffset + before.rawSize;
      });
      return hit === undefined ? undefined : tidy(hit.name, 16);
    },
  },
  {
    id: 'unprintable-section-name',
    what: 'a section has a name that cannot be printed',
    seen: (_image, sections) => {
      const hit = sections.find(({ name }) => /[^\x20-\x7e]/.test(name));
      return hit === undefined ? undefined : tidy(hit.name, 32);
    },
  },
  {
    id: 'odd-alignment',
    what: 'an alignment is not a power of two',
    seen: ({ fileAlignment, sectionAlignment }) =>
      isPowerOfTwo(fileAlignment) && isPowerOfTwo(sectionAlignment)
        ? undefined
        : `${fileAlignment}, ${sectionAlignment}`,
  },
  {
    id: 'directory-count',
    what: 'the number of data directories is not 16',
    seen: ({ directoryCount }) => (directoryCount === 16 ? undefined : String(directoryCount)),
  },
  {
    id: 'optional-header-size',
    what: 'the optional header has an unusual size',
    seen: ({ optionalSize, is64, rom }) =>
      rom || optionalSize === (is64 ? 240 : 224) ? undefined : `${optionalSize} bytes`,
  },
  {
    id: 'timestamp',
    what: 'the time of the build lies in the future',
    // Reproducible builds store a hash there, and say so in the debug directory.
    seen: ({ timestamp }, _sections, reproducible) =>
      timestamp * 1000 > Date.now() + 86_400_000 && !reproducible ? hex(timestamp) : undefined,
  },
  {
    id: 'coff-symbols',
    what: 'the pointer to symbols lies outside of the file',
    seen: ({ symbolTable, reader }) => (symbolTable > reader.length ? hex(symbolTable) : undefined),
  },
];

export function describeAnomalies(image: PeImage, sections: readonly MeasuredSection[], gathering: Gathering): void {
  const found = table.flatMap(({ id, what, seen }) => {
    const value = seen(image, sections, gathering.facts.reproducible_build === true);
    return value === undefined ? [] : [{ id, what, value }];
  });
  gathering.facts.anomalies = found.map(({ id }) => id);
  if (found.length === 0) return;
  gathering.find({
    rule: 'pe.header.anomaly',
    title: 'Headers that usual linkers do not write',
    severity: 'low',
    evidenceType: 'structural',
    evidence: found.map(({ what, value }) => ({ where: what, text: value })),
    benign: 'Small hand-made programs, boot loaders, packers and damaged downloads have unusual headers.',
  });
}
