import { describe, expect, it } from 'vitest';
import { type ComparedSample, compareSamples } from './compare.ts';

const base: ComparedSample = {
  name: 'a',
  kind: 'pe',
  sha256: '0'.repeat(64),
  sizeBytes: 1000,
  entropy: 5.5,
  facts: [
    {
      machine: 'x86-64',
      linker_version: '14.0',
      packer: null,
      imphash: 'one',
      imports: [{ dll: 'KERNEL32.dll', functions: ['CreateFileW', 'ReadFile'] }],
      sections: [{ name: '.text' }, { name: '.data' }],
      exports: ['Run'],
    },
  ],
  findings: [
    { rule: 'pe.tls.callbacks', title: '', severity: 'low', evidenceType: 'structural', evidence: [], benign: '' },
  ],
  strings: ['alpha', 'beta'],
};

describe('compareSamples', () => {
  it('finds no difference of a sample to itself', () => {
    const diff = compareSamples(base, base, { ssdeep: 100, tlsh: 0 });
    expect(diff).toMatchObject({
      is_identical: true,
      size_delta: 0,
      entropy_delta: 0,
      similarity: { ssdeep: 100, tlsh: 0 },
    });
    for (const list of [diff.imports, diff.sections, diff.exports, diff.strings, diff.findings]) {
      expect(list).toMatchObject({ added: [], removed: [] });
      expect(list.common_count).toBeGreaterThan(0);
    }
  });

  it('names what came and what went', () => {
    const other: ComparedSample = {
      ...base,
      sha256: '1'.repeat(64),
      sizeBytes: 1500,
      entropy: 7.25,
      facts: [
        {
          machine: 'x86',
          packer: 'UPX',
          imphash: 'two',
          imports: [{ dll: 'kernel32.dll', functions: ['CreateFileW', 'LoadLibraryA'] }],
          sections: [{ name: 'UPX0' }, { name: '.data' }],
        },
      ],
      findings: [],
      strings: ['beta', 'gamma'],
    };
    expect(compareSamples(base, other)).toMatchObject({
      is_identical: false,
      size_delta: 500,
      entropy_delta: 1.75,
      architecture: { a: 'x86-64', b: 'x86', is_same: false },
      packer: { a: null, b: 'UPX', is_same: false },
      import_hash: { is_same: false },
      imports: { added: ['kernel32.dll!LoadLibraryA'], removed: ['kernel32.dll!ReadFile'], common_count: 1 },
      sections: { added: ['UPX0'], removed: ['.text'], common_count: 1 },
      exports: { added: [], removed: ['Run'], common_count: 0 },
      strings: { added: ['gamma'], removed: ['alpha'], common_count: 1 },
      findings: { removed: ['pe.tls.callbacks'] },
      notes: [expect.stringContaining('packed')],
    });
  });

  it('lists a hundred and counts the rest', () => {
    const many = { ...base, strings: Array.from({ length: 500 }, (_, at) => `s${at}`) };
    const { strings } = compareSamples(base, many);
    expect(strings.added).toHaveLength(100);
    expect(strings.added_count).toBe(500);
  });

  it('compares files of different kinds', () => {
    const elf: ComparedSample = {
      ...base,
      kind: 'elf',
      sha256: '2'.repeat(64),
      entropy: null,
      facts: [{ imported_functions: ['open'], exported_symbols: ['main'] }],
    };
    expect(compareSamples(base, elf)).toMatchObject({
      entropy_delta: null,
      imports: { added: ['open'] },
      exports: { added: ['main'] },
      notes: [expect.stringContaining('different kinds')],
    });
  });
});
