import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { elfAnalyser } from '../../../../src/instruments/lab/analysers/elf/elf.ts';
import type { AnalyserResult } from '../../../../src/instruments/lab/contract.ts';
import { elfSamples } from '../../../samples/lab/elf/samples.ts';
import { fuzzAnalyser, inputOf } from '../../../samples/lab/fuzz-analyser.ts';
import { fieldVariants } from '../../../samples/lab/pe/field-variants.ts';

type SampleName = keyof typeof elfSamples;
const analyse = (bytes: Uint8Array): AnalyserResult => elfAnalyser.analyse(inputOf(bytes, 'elf')) as AnalyserResult;
const run = (name: SampleName): AnalyserResult => analyse(elfSamples[name]());

const linked = {
  interpreter: '/lib64/ld-linux-x86-64.so.2',
  libraries: ['libc.so.6', 'libdl.so.2'],
  imported_functions: [
    'ptrace',
    'memfd_create',
    'execve',
    'socket',
    'connect',
    'dup2',
    '__stack_chk_fail',
    '__printf_chk',
  ],
  exported_symbols: ['alpha', 'beta'],
  build_id: '0123456789abcdef0123456789abcdef01234567',
  is_static: false,
  is_stripped: true,
  packer: null,
};
const compilers = ['GCC: (Example 1.0) 12.2.0'];

const facts: readonly (readonly [SampleName, object])[] = [
  [
    'elf64',
    {
      ...linked,
      compilers,
      format: 'ELF64',
      byte_order: 'little',
      machine: 'x86-64',
      type: 'shared',
      anomalies: [],
      hardening: { nx: true, pie: true, relro: 'full', stack_canary: true, fortified: true },
    },
  ],
  [
    'elf32',
    {
      ...linked,
      compilers,
      format: 'ELF32',
      machine: 'x86',
      type: 'executable',
      runpath: '/tmp/lib:$ORIGIN',
      hardening: { nx: true, pie: false, relro: 'partial' },
    },
  ],
  ['elf64Big', { ...linked, compilers, byte_order: 'big', machine: 'S390', hardening: { nx: false, relro: 'none' } }],
  [
    'elf32Big',
    { ...linked, compilers, byte_order: 'big', machine: 'MIPS', soname: 'libsample.so.1', hardening: { pie: false } },
  ],
  ['noSections', { ...linked, section_count: 0, anomalies: ['no-section-headers'] }],
  [
    'go',
    {
      is_static: true,
      machine: 'ARM64',
      go: {
        version: 'go1.22.1',
        path: 'example.com/tool',
        module: 'example.com/tool',
        dependencies: ['example.com/library@v1.2.3'],
        settings: ['-compiler=gc'],
      },
    },
  ],
  ['rust', { rust: { compiler_commit: 'ab'.repeat(20) } }],
  ['upxLayout', { packer: 'UPX' }],
  [
    'core',
    {
      type: 'core',
      is_static: false,
      core: { program: 'sampled', arguments: 'sampled --serve example.com', thread_count: 1, memory_segments: 1 },
    },
  ],
  ['overlay', { overlay: { size: 204, content: 'ZIP archive' } }],
];

const findings: readonly (readonly [SampleName, readonly string[]])[] = [
  [
    'elf64',
    [
      'elf.api.process-memory',
      'elf.api.memory-file',
      'elf.api.process',
      'elf.api.network-client',
      'elf.api.shell-on-socket',
    ],
  ],
  [
    'elf32',
    [
      'elf.api.process-memory',
      'elf.api.memory-file',
      'elf.api.process',
      'elf.api.network-client',
      'elf.api.shell-on-socket',
      'elf.dynamic.search-path',
    ],
  ],
  ['upxLayout', ['elf.segment.writable-code', 'elf.segment.high-entropy', 'elf.packer', 'elf.header.anomaly']],
  ['go', []],
];

describe('ELF', () => {
  it.each(facts)('%s: facts', (name, expected) => {
    const result = run(name);
    expect(result.facts).toMatchObject(expected);
    expect(result.notes).toEqual([]);
  });

  it.each(findings)('%s: findings', (name, expected) => {
    expect(run(name).findings.map(({ rule }) => rule)).toEqual(expected);
  });

  it('gives appended data as a child', () => {
    expect(run('overlay').children.map(({ name, bytes }) => [name, bytes.length])).toEqual([['overlay', 204]]);
  });

  it.each([0, 3, 20, 60])('says of the first %i bytes that they are not all', (length) => {
    expect(analyse(elfSamples.elf64().subarray(0, length)).notes.length).toBeGreaterThan(0);
  });

  it('survives what is broken', async () => {
    const samples = (Object.keys(elfSamples) as SampleName[]).map((name) => ({
      bytes: elfSamples[name](),
      kind: 'elf' as const,
    }));
    const all = [
      ...samples,
      ...samples.flatMap(({ bytes, kind }) => fieldVariants(bytes, 20).map((one) => ({ bytes: one, kind }))),
    ];
    expect((await fuzzAnalyser(elfAnalyser, all)).problems).toEqual([]);
  });
});

const folder = mkdtempSync(join(tmpdir(), 'lab-elf-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const readelf = (...args: readonly string[]): string =>
  spawnSync('readelf', ['-W', ...args], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
  }).stdout;

const system = ['/bin/true', '/lib/x86_64-linux-gnu/libc.so.6', '/lib/aarch64-linux-gnu/libc.so.6'].filter((path) =>
  existsSync(path),
);

describe.skipIf(spawnSync('readelf', ['-v']).status !== 0)(
  'ELF beside readelf (skipped where it is not installed)',
  () => {
    it.each([...system, 'elf64', 'elf32', 'elf64Big', 'elf32Big'])('%s', (name) => {
      const path = name.startsWith('/') ? name : join(folder, name);
      if (!name.startsWith('/')) writeFileSync(path, elfSamples[name as SampleName]());
      const result = analyse(readFileSync(path)).facts;
      const header = readelf('-h', path);
      expect(Number(result.entry_point)).toBe(Number(/Entry point address:\s+(\w+)/.exec(header)?.[1]));
      expect(result.section_count).toBe(Number(/Number of section headers:\s+(\d+)/.exec(header)?.[1]));
      const dynamic = readelf('-d', path);
      expect(result.libraries).toEqual([...dynamic.matchAll(/\(NEEDED\).*\[(.*)\]/g)].map(([, library]) => library));
      expect(result.build_id).toBe(/Build ID: ([0-9a-f]+)/.exec(readelf('-n', path))?.[1]);
      const symbols = [
        ...readelf('--dyn-syms', path).matchAll(/^\s*\d+: \w+\s+\d+ (\w+)\s+(\w+)\s+\w+\s+(\w+) ([^\s@]+)/gm),
      ];
      const theirs = symbols.filter(
        ([, type, , index]) => index === 'UND' && ['FUNC', 'NOTYPE', 'IFUNC'].includes(type ?? ''),
      );
      expect(new Set(result.imported_functions as string[])).toEqual(new Set(theirs.map(([, , , , symbol]) => symbol)));
      const sizes = [
        ...readelf('-S', path).matchAll(/^\s*\[\s*\d+\]\s(\S+)\s+\S+\s+[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+) /gm),
      ];
      const sections = result.sections as unknown as { name: string; offset: number; size: number }[];
      expect(sections.slice(1).map((one) => [one.name, one.offset, one.size])).toEqual(
        sizes
          .filter(([, section]) => section !== 'NULL')
          .map(([, section, offset, size]) => [section, Number(`0x${offset}`), Number(`0x${size}`)]),
      );
    });
  },
);
