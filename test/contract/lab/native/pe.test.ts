import { describe, expect, it } from 'vitest';
import { peAnalyser } from '../../../../src/instruments/lab/analysers/pe/pe.ts';
import type { AnalyserResult } from '../../../../src/instruments/lab/contract.ts';
import { fuzzAnalyser, inputOf } from '../../../samples/lab/fuzz-analyser.ts';
import { fieldVariants } from '../../../samples/lab/pe/field-variants.ts';
import { richEntries } from '../../../samples/lab/pe/make-rich.ts';
import { type PeSampleName, peSamples, versionStrings } from '../../../samples/lab/pe/samples.ts';

const run = (name: PeSampleName): AnalyserResult =>
  peAnalyser.analyse(inputOf(peSamples[name](), 'pe')) as AnalyserResult;
const rules = ({ findings }: AnalyserResult): string[] => findings.map(({ rule }) => rule);

const full = {
  is_dll: false,
  is_dotnet: false,
  subsystem: 'console',
  timestamp: { seconds: 1_600_000_000, iso: '2020-09-13T12:26:40Z', plausible: true },
  imports: [
    {
      dll: 'KERNEL32.dll',
      functions: [
        'OpenProcess',
        'VirtualAllocEx',
        'WriteProcessMemory',
        'CreateRemoteThread',
        'LoadLibraryA',
        'GetProcAddress',
      ],
    },
    { dll: 'WS2_32.dll', functions: ['socket', 'connect', 'WSAStartup', 'ord9999'] },
    { dll: 'OLEAUT32.dll', functions: ['SysAllocString', 'SysFreeString', 'VariantInit'] },
    { dll: 'legacy.ocx', functions: ['ord7'] },
  ],
  import_count: 14,
  delay_imports: [{ dll: 'WININET.dll', functions: ['InternetOpenW', 'InternetOpenUrlW', 'InternetReadFile'] }],
  exports: ['Alpha', 'Beta'],
  forwarded_exports: [{ name: 'Beta', to: 'KERNEL32.Sleep' }],
  export_module: 'sample.dll',
  tls: { callback_count: 1 },
  relocation_count: 1,
  pdb_path: 'C:\\build\\example\\sample.pdb',
  reproducible_build: true,
  rich_header: { checksum_valid: true, entries: richEntries.map((entry) => ({ ...entry })) },
  version_info: versionStrings,
  fixed_file_info: { file_version: '1.2.3.4', product_version: '1.2.3.4', file_type: 'application' },
  manifest: { requested_execution_level: 'requireAdministrator', ui_access: false },
  resource_count: 4,
  checksum: { valid: true },
  is_signed: false,
  packer: null,
  anomalies: [],
};

const facts: readonly (readonly [PeSampleName, object])[] = [
  [
    'pe32',
    {
      ...full,
      format: 'PE32',
      machine: 'x86',
      overlay: { size: 304, content: 'ZIP archive' },
      installers: ['zip_sfx'],
    },
  ],
  [
    'pe64',
    { ...full, format: 'PE32+', machine: 'x86-64', mitigations: { aslr: true, dep: true, control_flow_guard: false } },
  ],
  ['dll', { is_dll: true, exports: ['DllMain', 'Run'], imphash: null, section_count: 2 }],
  ['upxLayout', { packer: 'UPX', entry_point: { section: 'UPX1' }, anomalies: [] }],
  [
    'pyInstaller',
    {
      installers: ['pyinstaller'],
      pyinstaller: { layout: 'since 2.1', python_version: '3.11', library: 'python311.dll' },
    },
  ],
  [
    'pyInstallerOld',
    { installers: ['pyinstaller'], pyinstaller: { layout: 'up to 2.0', python_version: '3.11', library: null } },
  ],
  ['nsis', { installers: ['nsis'] }],
  ['autoit', { installers: ['autoit'] }],
  ['bloated', { padding: { size: 1_200_000, value: 0 } }],
  [
    'signed',
    {
      is_signed: true,
      checksum: { valid: true },
      signatures: [
        {
          digest_algorithm: 'sha256',
          digest_matches: true,
          signature_valid: true,
          content_digest_matches: true,
          signer: {
            subject: 'CN=Hotcell test signer',
            serial: '1234567890',
            valid_from: '2020-01-01T00:00:00Z',
            valid_to: '2039-12-31T23:59:59Z',
            self_issued: true,
          },
        },
      ],
    },
  ],
  [
    'tampered',
    { is_signed: true, checksum: { valid: false }, signatures: [{ digest_matches: false, signature_valid: true }] },
  ],
  ['dotnet', { is_dotnet: true, imports: [{ dll: 'mscoree.dll', functions: ['_CorExeMain'] }] }],
];

const findings: readonly (readonly [PeSampleName, readonly string[]])[] = [
  [
    'pe32',
    [
      'pe.api.process-injection',
      'pe.api.dynamic-resolution',
      'pe.api.http-wininet',
      'pe.tls.callbacks',
      'pe.resource.executable',
      'pe.resource.high-entropy',
      'pe.manifest.elevation',
      'pe.overlay.present',
      'pe.installer',
    ],
  ],
  ['upxLayout', ['pe.packer', 'pe.section.writable-code', 'pe.section.high-entropy', 'pe.section.grows-in-memory']],
  ['bloated', ['pe.overlay.padding']],
  ['signed', ['pe.signature.self-issued']],
  ['tampered', ['pe.signature.mismatch', 'pe.signature.hidden-data', 'pe.header.checksum']],
  ['small', []],
];

describe('PE', () => {
  it.each(facts)('%s: facts', (name, expected) => {
    const result = run(name);
    expect(result.facts).toMatchObject(expected);
    expect(result.notes).toEqual([]);
  });

  it.each(findings)('%s: findings', (name, expected) => {
    const found = rules(run(name));
    if (expected.length === 0) expect(found).toEqual([]);
    expect(found).toEqual(expect.arrayContaining([...expected]));
  });

  it('gives what is embedded as children', () => {
    const { children } = run('pe32');
    expect(children.map(({ name, how }) => [name, how])).toEqual([
      ['PAYLOAD-INNER-1049', 'resource PAYLOAD/INNER/1049'],
      ['overlay', 'overlay at offset 0x3400'],
    ]);
    expect(Buffer.from(children[0]?.bytes ?? []).equals(peSamples.small())).toBe(true);
  });

  it('gives version, manifest and PDB path as text', () => {
    expect(run('pe64').texts.map(({ label }) => label)).toEqual(['PDB path', 'version information', 'manifest']);
  });

  it.each([0, 1, 64, 130, 300, 600])('says of the first %i bytes that they are not all', (length) => {
    const bytes = peSamples.pe64().subarray(0, length);
    const result = peAnalyser.analyse(inputOf(bytes, 'pe')) as AnalyserResult;
    expect(result.notes.length).toBeGreaterThan(0);
  });

  it('stops when the time is up', () => {
    const tick = (): void => {
      throw new RangeError('time is up');
    };
    expect(() => peAnalyser.analyse(inputOf(peSamples.pe64(), 'pe', { tick }))).toThrow('time is up');
  });

  it('survives what is broken', async () => {
    const names: readonly PeSampleName[] = ['pe32', 'pe64', 'signed', 'tampered', 'upxLayout', 'dotnet', 'pyInstaller'];
    const samples = names.map((name) => ({ bytes: peSamples[name](), kind: 'pe' as const }));
    const all = [
      ...samples,
      ...samples.flatMap(({ bytes, kind }) => fieldVariants(bytes, 20).map((one) => ({ bytes: one, kind }))),
    ];
    expect((await fuzzAnalyser(peAnalyser, all)).problems).toEqual([]);
  });
});
