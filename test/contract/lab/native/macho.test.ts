import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { machoAnalyser } from '../../../../src/instruments/lab/analysers/macho/macho.ts';
import type { AnalyserResult } from '../../../../src/instruments/lab/contract.ts';
import { fuzzAnalyser, inputOf } from '../../../samples/lab/fuzz-analyser.ts';
import { machoSamples } from '../../../samples/lab/macho/samples.ts';
import { fieldVariants } from '../../../samples/lab/pe/field-variants.ts';

type SampleName = keyof typeof machoSamples;
const analyse = (bytes: Uint8Array): AnalyserResult => machoAnalyser.analyse(inputOf(bytes, 'macho')) as AnalyserResult;
const run = (name: SampleName): AnalyserResult => analyse(machoSamples[name]());

const common = {
  uuid: '00112233-4455-6677-8899-AABBCCDDEEFF',
  libraries: [
    { name: '/usr/lib/libSystem.B.dylib', kind: 'load', version: '1.2.0' },
    { name: '/System/Library/Frameworks/Security.framework/Security', kind: 'load' },
  ],
  rpaths: ['@executable_path/../Frameworks', '/tmp/lib'],
  platform: { name: 'macOS', minimum: '12.0.0', sdk: '13.1.0' },
  entry_offset: '0x1000',
  imports: [
    { dll: '/usr/lib/libSystem.B.dylib', functions: ['task_for_pid', 'mach_vm_write', 'thread_create_running'] },
    { dll: '/System/Library/Frameworks/Security.framework/Security', functions: ['SecItemCopyMatching'] },
  ],
  exports: ['main'],
  hardening: { pie: true },
};
const directory = { identifier: 'com.example.sample', team: 'EXAMPLE123', flags: ['adhoc'], hash: 'sha256' };

const facts: readonly (readonly [SampleName, object])[] = [
  ['x64', { ...common, format: 'Mach-O 64-bit', cpu: 'x86-64', is_signed: false }],
  ['x86', { ...common, format: 'Mach-O 32-bit', cpu: 'x86' }],
  [
    'arm64',
    {
      ...common,
      cpu: 'ARM64',
      is_signed: true,
      signature: { directories: [{ ...directory, pages_match: true }] },
      entitlements: ['com.apple.security.get-task-allow', 'com.apple.security.network.client'],
    },
  ],
  [
    'dylib',
    { file_type: 'dylib', exports: ['alpha', 'beta'], import_count: 0, install_name: '@rpath/libsample.dylib' },
  ],
  ['tampered', { signature: { directories: [{ ...directory, pages_match: false }] } }],
  [
    'universal',
    {
      format: 'Mach-O universal',
      slice_count: 2,
      slices: [
        { cpu: 'x86-64', complete: true },
        { cpu: 'ARM64', complete: true },
      ],
    },
  ],
];

const findings: readonly (readonly [SampleName, readonly string[]])[] = [
  ['x64', ['macho.dylib.search-path', 'macho.api.process-injection', 'macho.api.keychain']],
  [
    'x86',
    ['macho.segment.writable-code', 'macho.dylib.search-path', 'macho.api.process-injection', 'macho.api.keychain'],
  ],
  [
    'tampered',
    [
      'macho.dylib.search-path',
      'macho.api.process-injection',
      'macho.api.keychain',
      'macho.entitlements.notable',
      'macho.signature.mismatch',
    ],
  ],
  ['dylib', []],
];

describe('Mach-O', () => {
  it.each(facts)('%s: facts', (name, expected) => {
    const result = run(name);
    expect(result.facts).toMatchObject(expected);
    expect(result.notes).toEqual([]);
  });

  it.each(findings)('%s: findings', (name, expected) => {
    expect(run(name).findings.map(({ rule }) => rule)).toEqual(expected);
  });

  it('sees the mark of a packer', () => {
    const bytes = machoSamples.x64();
    bytes.write('UPX!', 0xf00);
    const result = analyse(bytes);
    expect(run('x64').facts.packer).toBeNull();
    expect(result.facts.packer).toBe('UPX');
    expect(result.findings.map(({ rule }) => rule)).toContain('macho.packer');
  });

  it('gives each slice as a child', () => {
    const { children } = run('universal');
    expect(children.map(({ name }) => name)).toEqual(['slice-x86-64', 'slice-ARM64']);
    expect(Buffer.from(children[1]?.bytes ?? []).equals(machoSamples.arm64())).toBe(true);
  });

  it.each([0, 7, 20, 200])('says of the first %i bytes that they are not all', (length) => {
    expect(analyse(machoSamples.arm64().subarray(0, length)).notes.length).toBeGreaterThan(0);
  });

  it('survives what is broken', async () => {
    const samples = (Object.keys(machoSamples) as SampleName[]).map((name) => ({
      bytes: machoSamples[name](),
      kind: 'macho' as const,
    }));
    const all = [
      ...samples,
      ...samples.flatMap(({ bytes, kind }) => fieldVariants(bytes, 20).map((one) => ({ bytes: one, kind }))),
    ];
    expect((await fuzzAnalyser(machoAnalyser, all)).problems).toEqual([]);
  });
});

const folder = mkdtempSync(join(tmpdir(), 'lab-macho-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const objdump = ['llvm-objdump', 'llvm-objdump-14'].find((one) => spawnSync(one, ['--version']).status === 0);

describe.skipIf(objdump === undefined)('Mach-O beside llvm-objdump (skipped where it is not installed)', () => {
  it.each(['x64', 'x86', 'arm64', 'dylib'] as const)('%s', (name) => {
    const path = join(folder, name);
    writeFileSync(path, machoSamples[name]());
    const out = spawnSync(objdump ?? '', ['--macho', '--private-headers', path], { encoding: 'utf8' });
    expect(out.stderr).toBe('');
    const result = run(name).facts;
    expect(out.stdout).toContain(`uuid ${String(result.uuid)}`);
    const loads = [...out.stdout.matchAll(/cmd LC_LOAD_DYLIB\n\s+cmdsize \d+\n\s+name (\S+)/g)].map(
      ([, library]) => library,
    );
    expect((result.libraries as unknown as { name: string }[]).map((one) => one.name)).toEqual(loads);
    const segments = [
      ...out.stdout.matchAll(/segname (\S+)\n\s+vmaddr \S+\n\s+vmsize (\S+)\n\s+fileoff (\d+)\n\s+filesize (\d+)/g),
    ];
    expect(
      (result.segments as unknown as { name: string; offset: number; file_size: number }[]).map((one) => [
        one.name,
        one.offset,
        one.file_size,
      ]),
    ).toEqual(segments.map(([, segment, , offset, size]) => [segment, Number(offset), Number(size)]));
  });
});
