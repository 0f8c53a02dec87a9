import { makeCompound } from './make-compound.ts';
import { makeNative } from './make-native.ts';
import { makeSummary } from './make-summary.ts';
import { dropperSource, type SampleModule, vbaStreams } from './make-vba.ts';

/** A Word 97 document: a head, some text with fields, macros and a packed file. */

function wordStream(body: string): Buffer {
  const head = Buffer.alloc(1024);
  head.writeUInt16LE(0xa5ec, 0);
  head.writeUInt16LE(0x00c1, 2);
  head.writeUInt16LE(0x0200, 10);
  return Buffer.concat([head, Buffer.from(body, 'latin1'), Buffer.alloc(4096)]);
}

export interface DocOptions {
  readonly body?: string;
  readonly modules?: readonly SampleModule[];
  readonly streams?: Readonly<Record<string, Buffer>>;
}

export function makeDoc(options: DocOptions = {}): Buffer {
  return makeCompound(
    {
      WordDocument: wordStream(options.body ?? 'Plain text without fields.'),
      '1Table': Buffer.alloc(4200),
      '\u0005SummaryInformation': makeSummary({
        2: 'Sample title',
        4: 'Sample Author',
        8: 'Second Author',
        18: 'Microsoft Office Word',
      }),
      ...(options.modules === undefined ? {} : vbaStreams(options.modules, 'Macros/')),
      ...options.streams,
    },
    '0609020000000000c000000000000046',
  );
}

export function makeMacroDoc(): Buffer {
  return makeDoc({ modules: [{ name: 'ThisDocument', source: dropperSource, isDocument: true }] });
}

export function makeDdeDoc(): Buffer {
  return makeDoc({
    body: 'Text \x13 DDEAUTO c:\\\\windows\\\\system32\\\\cmd.exe "/k echo doc.example.com" \x14result\x15 more \x13 HYPERLINK "https://link.example.com/a" \x14here\x15.',
  });
}

export function makePackageDoc(): Buffer {
  return makeDoc({
    streams: {
      'ObjectPool/_1234567890/\u0001Ole10Native': makeNative(
        'run.bat',
        'C:\\Users\\sample\\run.bat',
        '@echo off\r\necho sample\r\n',
      ),
    },
  });
}

export function makeEquationDoc(): Buffer {
  return makeDoc({ streams: { 'ObjectPool/_1234567891/Equation Native': Buffer.alloc(80, 0x1c) } });
}

/** Compiled code that names what the source does not: the source was taken out. */
export function makeStompedDoc(): Buffer {
  const compiled = Buffer.concat([
    Buffer.alloc(2000, 1),
    Buffer.from('\x08AutoOpen\x00\x0cCreateObject\x00\x05Shell\x00', 'latin1'),
  ]);
  return makeDoc({
    modules: [{ name: 'ThisDocument', source: '', isDocument: true, compiled, stomped: Buffer.alloc(40) }],
  });
}
