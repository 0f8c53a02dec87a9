import { describe, expect, it } from 'vitest';
import { dotnetAnalyser } from '../../../../src/instruments/lab/analysers/pe/dotnet/dotnet.ts';
import type { AnalyserResult } from '../../../../src/instruments/lab/contract.ts';
import { fuzzAnalyser, inputOf } from '../../../samples/lab/fuzz-analyser.ts';
import { fieldVariants } from '../../../samples/lab/pe/field-variants.ts';
import { peSamples } from '../../../samples/lab/pe/samples.ts';

const run = (bytes: Uint8Array): AnalyserResult => dotnetAnalyser.analyse(inputOf(bytes, 'dotnet')) as AnalyserResult;

describe('.NET', () => {
  it('reads an assembly', () => {
    const result = run(peSamples.dotnet());
    expect(result.notes).toEqual([]);
    expect(result.facts).toMatchObject({
      clr_version: '2.5',
      runtime_version: 'v4.0.30319',
      flags: ['il_only'],
      entry_point_token: '0x6000001',
      entry_point: 'Main',
      assembly: { name: 'Sample', version: '1.2.3.4', culture: 'neutral', public_key_token: null },
      module: { name: 'Sample.exe', mvid: '04030201-0605-0807-090a-0b0c0d0e0f10' },
      references: [{ name: 'mscorlib', version: '4.0.0.0', public_key_token: 'b77a5c561934e089' }],
      type_count: 2,
      types: ['Sample.Program', 'Sample.Helper'],
      method_count: 2,
      methods: ['Main', 'VirtualProtect'],
      type_references: ['System.Object', 'System.Net.WebClient', 'System.Reflection.Assembly'],
      platform_calls: [{ dll: 'kernel32.dll', functions: ['VirtualProtect'] }],
      user_string_count: 3,
      managed_resources: [
        { name: 'Sample.inner', size: peSamples.small().length, embedded: true, content: 'Windows executable' },
      ],
      obfuscators: [],
    });
    expect(result.texts).toEqual([
      { label: '.NET user strings', text: `http://example.com/stage2\nä and ü\n${'x'.repeat(100)}` },
    ]);
    expect(result.findings.map(({ rule }) => rule)).toEqual([
      'dotnet.api.load-assembly',
      'dotnet.api.download',
      'pe.api.memory-execution',
    ]);
    expect(Buffer.from(result.children[0]?.bytes ?? []).equals(peSamples.small())).toBe(true);
  });

  it('sees traces of obfuscation', () => {
    const { facts, findings } = run(peSamples.dotnetObfuscated());
    expect(facts).toMatchObject({ obfuscators: ['ConfuserEx'] });
    expect(facts.unreadable_name_share).toBeGreaterThan(0.5);
    const [finding] = findings;
    expect(finding?.rule).toBe('dotnet.obfuscation');
    expect(finding?.evidence.map(({ where }) => where)).toEqual(['ConfuserEx', 'names', 'metadata streams']);
    // What turns the reading direction round does not get into evidence.
    expect(JSON.stringify(finding)).not.toMatch(/[\u200b-\u202e]/);
  });

  it('says so when there is no metadata', () => {
    expect(run(peSamples.pe64()).notes).toEqual(['metadata: there is none, or it cannot be read']);
  });

  it('survives what is broken', async () => {
    const samples = [peSamples.dotnet(), peSamples.dotnetObfuscated()].map((bytes) => ({
      bytes,
      kind: 'dotnet' as const,
    }));
    const all = [
      ...samples,
      ...samples.flatMap(({ bytes, kind }) => fieldVariants(bytes, 20).map((one) => ({ bytes: one, kind }))),
    ];
    expect((await fuzzAnalyser(dotnetAnalyser, all)).problems).toEqual([]);
  });
});
