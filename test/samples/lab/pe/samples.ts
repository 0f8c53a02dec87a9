import { makeDotnet } from './make-dotnet.ts';
import { makePe, type PeSample } from './make-pe.ts';
import { makeVersionInfo } from './make-resources.ts';
import { makeSigner, signPe } from './make-signature.ts';
import { makeWriter, noise } from './writer.ts';

const manifest = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<assembly xmlns="urn:schemas-microsoft-com:asm.v1" manifestVersion="1.0"><trustInfo xmlns="urn:schemas-microsoft-com:asm.v3"><security>
<requestedPrivileges><requestedExecutionLevel level="requireAdministrator" uiAccess="false"/></requestedPrivileges></security></trustInfo></assembly>`;

export const versionStrings = {
  CompanyName: 'Example',
  FileDescription: 'A sample',
  FileVersion: '1.2.3.4',
  ProductName: 'Sample',
};

const injection = [
  'OpenProcess',
  'VirtualAllocEx',
  'WriteProcessMemory',
  'CreateRemoteThread',
  'LoadLibraryA',
  'GetProcAddress',
];

const small = makePe({ is64: false });

const full = (is64: boolean): PeSample => ({
  is64,
  rich: true,
  tls: true,
  pdb: 'C:\\build\\example\\sample.pdb',
  reproducible: true,
  checksum: true,
  imports: [
    { dll: 'KERNEL32.dll', functions: injection },
    { dll: 'WS2_32.dll', functions: [23, 4, 115, 9999] },
    { dll: 'OLEAUT32.dll', functions: [2, 6, 'VariantInit'] },
    { dll: 'legacy.ocx', functions: [7] },
  ],
  delayImports: [{ dll: 'WININET.dll', functions: ['InternetOpenW', 'InternetOpenUrlW', 'InternetReadFile'] }],
  exports: { name: 'sample.dll', functions: [{ name: 'Alpha' }, { name: 'Beta', forwarder: 'KERNEL32.Sleep' }] },
  resources: [
    { type: 16, name: 1, language: 0x409, bytes: makeVersionInfo(versionStrings, [1, 2, 3, 4]) },
    { type: 24, name: 1, language: 0x409, bytes: Buffer.from(manifest) },
    { type: 'PAYLOAD', name: 'INNER', language: 0x419, bytes: small },
    { type: 10, name: 101, language: 0, bytes: noise(8192) },
  ],
});

const pyCookie = (modern: boolean): Buffer => {
  const writer = makeWriter('big').bytes(noise(600, 7)).text('MEI\x0c\x0b\x0a\x0b\x0e').u32(688, 500, 64, 311);
  return modern ? writer.text('python311.dll', 64).done() : writer.done();
};

/** Every sample by a name. None holds code that does anything. */
export const peSamples = {
  pe32: (): Buffer =>
    makePe({ ...full(false), overlay: Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), noise(300)]) }),
  pe64: (): Buffer => makePe(full(true)),
  dll: (): Buffer =>
    makePe({
      is64: true,
      dll: true,
      exports: { name: 'plain.dll', functions: [{ name: 'DllMain' }, { name: 'Run' }] },
    }),
  small: (): Buffer => small,
  /** The layout of UPX with noise as content: the packer itself is not at hand. */
  upxLayout: (): Buffer =>
    makePe({
      is64: false,
      noText: true,
      imports: [{ dll: 'KERNEL32.DLL', functions: ['LoadLibraryA', 'GetProcAddress', 'VirtualProtect'] }],
      sections: [
        { name: 'UPX0', bytes: Buffer.alloc(0), flags: 0xe0000080, virtualSize: 0x8000 },
        { name: 'UPX1', bytes: noise(8192, 3), flags: 0xe0000040 },
      ],
    }),
  pyInstaller: (): Buffer => makePe({ is64: true, overlay: pyCookie(true) }),
  pyInstallerOld: (): Buffer => makePe({ is64: true, overlay: pyCookie(false) }),
  nsis: (): Buffer =>
    makePe({
      is64: false,
      overlay: Buffer.concat([makeWriter().u32(0, 0xdeadbeef).text('NullsoftInst').done(), noise(200)]),
    }),
  autoit: (): Buffer =>
    makePe({
      is64: false,
      resources: [
        {
          type: 10,
          name: 'SCRIPT',
          language: 0,
          bytes: Buffer.concat([noise(32), Buffer.from('AU3!EA06'), noise(64)]),
        },
      ],
    }),
  bloated: (): Buffer => makePe({ is64: true, overlay: Buffer.concat([Buffer.from('x'), Buffer.alloc(1_200_000)]) }),
  signed: (): Buffer =>
    signPe(makePe({ is64: true, imports: [{ dll: 'KERNEL32.dll', functions: ['Sleep'] }] }), makeSigner()),
  /** One byte of the code was changed after signing, and there is data beside the signature. */
  tampered: (): Buffer => {
    const file = signPe(makePe({ is64: false }), makeSigner(), Buffer.from('campaign=example-0001'));
    file[0x200] = 0xcc;
    return file;
  },
  dotnet: (): Buffer =>
    makeDotnet({
      name: 'Sample',
      types: ['Program', 'Helper'],
      references: [
        ['System', 'Object'],
        ['System.Net', 'WebClient'],
        ['System.Reflection', 'Assembly'],
      ],
      members: ['DownloadData', 'Load', 'get_EntryPoint', '.ctor'],
      userStrings: ['http://example.com/stage2', 'ä and ü', 'x'.repeat(100)],
      platformCall: { dll: 'kernel32.dll', function: 'VirtualProtect' },
      resource: { name: 'Sample.inner', bytes: small },
    }),
  dotnetObfuscated: (): Buffer =>
    makeDotnet({
      name: 'Hidden',
      types: [
        'ConfusedByAttribute',
        ...Array.from({ length: 12 }, (_, index) => String.fromCharCode(0x202a, 0x200b + (index % 3), 0x202c)),
      ],
      extraStream: '#Koi',
    }),
} as const;

export type PeSampleName = keyof typeof peSamples;
