import { describe, expect, it } from 'vitest';
import { elfAnalyser } from '../../../../src/instruments/lab/analysers/elf/elf.ts';
import { peAnalyser } from '../../../../src/instruments/lab/analysers/pe/pe.ts';
import type { AnalyserResult } from '../../../../src/instruments/lab/contract.ts';
import { elfSamples } from '../../../samples/lab/elf/samples.ts';
import { inputOf } from '../../../samples/lab/fuzz-analyser.ts';
import { peSamples } from '../../../samples/lab/pe/samples.ts';
import { noise } from '../../../samples/lab/pe/writer.ts';

interface PePlaces {
  readonly coff: number;
  readonly optional: number;
  readonly sections: number;
}

const inPe = (change: (bytes: Buffer, places: PePlaces) => void): AnalyserResult => {
  const bytes = peSamples.pe32();
  const pe = bytes.readUInt32LE(0x3c);
  change(bytes, { coff: pe + 4, optional: pe + 24, sections: pe + 24 + 224 });
  return peAnalyser.analyse(inputOf(bytes, 'pe')) as AnalyserResult;
};

const peChanges: readonly (readonly [string, (bytes: Buffer, places: PePlaces) => void])[] = [
  ['entry-outside', (bytes, { optional }) => bytes.writeUInt32LE(0x7ead0000, optional + 16)],
  [
    'entry-in-last-section',
    (bytes, { optional, sections }) => bytes.writeUInt32LE(bytes.readUInt32LE(sections + 80 + 12), optional + 16),
  ],
  ['entry-not-executable', (bytes, { sections }) => bytes.writeUInt32LE(0x40000040, sections + 36)],
  ['no-sections', (bytes, { coff }) => bytes.writeUInt16LE(0, coff + 2)],
  ['section-outside-file', (bytes, { sections }) => bytes.writeUInt32LE(0x100000, sections + 16)],
  [
    'sections-overlap',
    (bytes, { sections }) => bytes.writeUInt32LE(bytes.readUInt32LE(sections + 20), sections + 40 + 20),
  ],
  ['unprintable-section-name', (bytes, { sections }) => bytes.writeUInt8(1, sections)],
  ['odd-alignment', (bytes, { optional }) => bytes.writeUInt32LE(3, optional + 36)],
  ['directory-count', (bytes, { optional }) => bytes.writeUInt32LE(15, optional + 92)],
  ['coff-symbols', (bytes, { coff }) => bytes.writeUInt32LE(0x7fffffff, coff + 8)],
];

describe('anomalies of PE', () => {
  it.each(peChanges)('%s', (id, change) => {
    const { facts, findings } = inPe(change);
    expect(facts.anomalies).toContain(id);
    expect(findings.map(({ rule }) => rule)).toContain('pe.header.anomaly');
  });

  it('takes a time in the future for a hash where the build is reproducible', () => {
    const later = (bytes: Buffer, { coff }: PePlaces): number => bytes.writeUInt32LE(0xf0000000, coff + 4);
    expect(inPe(later).facts).toMatchObject({ anomalies: [], timestamp: { plausible: false } });
    const plain = peSamples.small();
    later(plain, { coff: plain.readUInt32LE(0x3c) + 4, optional: 0, sections: 0 });
    const { facts } = peAnalyser.analyse(inputOf(plain, 'pe')) as AnalyserResult;
    expect(facts.anomalies).toEqual(['timestamp']);
  });

  it('sees that the list of build tools is not of this file', () => {
    const result = inPe((bytes) => bytes.writeUInt8(0x21, 0x50));
    expect(result.facts).toMatchObject({ rich_header: { checksum_valid: false } });
    expect(result.findings.map(({ rule }) => rule)).toContain('pe.rich.checksum');
  });

  it('reads long names of sections', () => {
    const small = peSamples.small();
    const bytes = Buffer.concat([small, Buffer.from('\x14\0\0\0.longer_than_8\0', 'latin1')]);
    const pe = bytes.readUInt32LE(0x3c);
    bytes.writeUInt32LE(small.length, pe + 12);
    bytes.write('/4\0\0\0\0\0\0', pe + 24 + 224, 'latin1');
    const { facts } = peAnalyser.analyse(inputOf(bytes, 'pe')) as AnalyserResult;
    expect(facts.sections).toMatchObject([{ name: '.longer_than_8' }]);
  });

  it('calls dense code with few imports packed by something unknown', () => {
    const bytes = peSamples.upxLayout();
    const sections = bytes.readUInt32LE(0x3c) + 24 + 224;
    for (const at of [sections, sections + 40]) bytes.write('.code\0\0\0', at, 'latin1');
    const { facts } = peAnalyser.analyse(inputOf(bytes, 'pe')) as AnalyserResult;
    expect(facts.packer).toBe('unknown');
  });

  it('sees data behind a signature', () => {
    const bytes = Buffer.concat([peSamples.signed(), noise(64)]);
    const { facts, findings } = peAnalyser.analyse(inputOf(bytes, 'pe')) as AnalyserResult;
    expect(facts).toMatchObject({ signatures: [{ digest_matches: false }] });
    expect(findings.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(['pe.overlay.behind-signature', 'pe.signature.mismatch']),
    );
  });
});

const elfChanges: readonly (readonly [string, (bytes: Buffer) => void])[] = [
  ['section-headers-outside', (bytes) => bytes.writeBigUInt64LE(0x7fffffffn, 40)],
  ['section-entry-size', (bytes) => bytes.writeUInt16LE(72, 58)],
  ['section-names', (bytes) => bytes.writeUInt16LE(1, 62)],
  ['segment-outside-file', (bytes) => bytes.writeBigUInt64LE(0x7fffffffn, 64 + 32)],
  [
    'text-not-mapped',
    (bytes) => {
      // Interpreter, build id, code: the third after the empty one.
      const at = Number(bytes.readBigUInt64LE(40)) + 3 * 64 + 24;
      bytes.writeBigUInt64LE(bytes.readBigUInt64LE(at) + 16n, at);
    },
  ],
];

describe('anomalies of ELF', () => {
  it.each(elfChanges)('%s', (id, change) => {
    const bytes = elfSamples.elf64();
    change(bytes);
    const { facts, findings } = elfAnalyser.analyse(inputOf(bytes, 'elf')) as AnalyserResult;
    expect(facts.anomalies).toContain(id);
    expect(findings.map(({ rule }) => rule)).toContain('elf.header.anomaly');
    // The loader needs no sections, so what it links to is still known.
    if (id.startsWith('section')) expect(facts.libraries).toEqual(['libc.so.6', 'libdl.so.2']);
  });

  it('entry-outside', () => {
    const bytes = elfSamples.elf32();
    bytes.writeUInt32LE(0x10, 24);
    const { facts } = elfAnalyser.analyse(inputOf(bytes, 'elf')) as AnalyserResult;
    expect(facts.anomalies).toEqual(['entry-outside']);
  });
});
