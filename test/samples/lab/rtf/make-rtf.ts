import { makeCompound } from '../office/make-compound.ts';
import { makeNative } from '../office/make-native.ts';

/** RTF documents with objects, as they are written and as they are hidden. */

function lengthText(text: string): Buffer {
  const bytes = Buffer.from(text === '' ? '' : `${text}\0`, 'latin1');
  const head = Buffer.alloc(4);
  head.writeUInt32LE(bytes.length, 0);
  return Buffer.concat([head, bytes]);
}

export function makeOle1(className: string, data: Buffer, format: 1 | 2 = 2, topic = ''): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(0x0501, 0);
  head.writeUInt32LE(format, 4);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(data.length, 0);
  return Buffer.concat([head, lengthText(className), lengthText(topic), lengthText(''), size, data]);
}

function object(className: string, data: Buffer, words = 'objemb'): string {
  return `{\\object\\${words}\\objw100\\objh100{\\*\\objclass ${className}}{\\*\\objdata ${data.toString('hex')}}}`;
}

const head = '{\\rtf1\\ansi\\deff0{\\info{\\author Sample Author}}\\pard Text\\par ';

export function makePlainRtf(): Buffer {
  return Buffer.from(`${head}}`);
}

/** The packager's native data has no outer size inside of OLE 1. */
export function makePackageRtf(): Buffer {
  const native = makeNative('invoice.vbs', 'C:\\Users\\sample\\invoice.vbs', 'WScript.Echo "sample"').subarray(4);
  return Buffer.from(`${head}${object('Package', makeOle1('Package', native))}}`);
}

export function makeEquationRtf(): Buffer {
  const inner = makeCompound({ 'Equation Native': Buffer.alloc(64, 0x1c) }, '02ce020000000000c000000000000046');
  return Buffer.from(`${head}${object('Equation.3', makeOle1('Equation.3', inner), 'objemb\\objupdate')}}`);
}

/** What readers skip between the digits. In a group that is to be ignored digits are noise as well. */
/** The digit before the escape is the odd one that Word drops. */
export const plainNoise: readonly string[] = ['\r\n', "5\\'7f", '\\foo12 ', '{}', '  '];
export const ignoredNoise: readonly string[] = [...plainNoise, '{\\*\\unknownword 41414141}'];

/** The digits are cut by blanks, control words, ignored groups and escapes; the header is shortened. */
export function makeHiddenRtf(noise: readonly string[] = ignoredNoise): Buffer {
  const native = makeNative('hidden.js', 'C:\\Temp\\hidden.js', 'WScript.Echo("hidden");').subarray(4);
  const digits = makeOle1('Package', native).toString('hex');
  const pieces = digits.match(/.{1,14}/g) ?? [];
  const mixed = pieces.map((piece, index) => piece + (noise[index % noise.length] ?? '')).join('');
  return Buffer.from(`{\\rt0\\ansi {\\object\\objemb{\\*\\objdata\r\n${mixed}}}}`);
}

/** Some of the digits stand in a group with a word that nobody knows, as if it were to be ignored. */
export function makeGroupedRtf(): Buffer {
  const native = makeNative('grouped.js', 'C:\\Temp\\grouped.js', 'WScript.Echo("grouped");').subarray(4);
  const digits = makeOle1('Package', native).toString('hex');
  return Buffer.from(
    `${head}{\\object\\objemb{\\*\\objdata ${digits.slice(0, 20)}{\\*\\unknownword ${digits.slice(20, 60)}}${digits.slice(60)}}}}`,
  );
}

export function makeBinaryRtf(): Buffer {
  const data = makeOle1('Package', makeNative('bin.txt', 'C:\\Temp\\bin.txt', 'raw bytes {}\\').subarray(4));
  return Buffer.concat([
    Buffer.from(`${head}{\\object\\objemb{\\*\\objdata \\bin${data.length} `),
    data,
    Buffer.from('}}}'),
  ]);
}

/** The address is written in numbers of its characters. */
export function makeTemplateRtf(target = 'http://template.example.com/a.dotm'): Buffer {
  const escaped = [...target].map((character) => `\\u${character.charCodeAt(0)}?`).join('');
  return Buffer.from(
    `${head}{\\*\\template ${escaped}}{\\field{\\*\\fldinst HYPERLINK "https://link.example.com/"}{\\fldrslt here}}}`,
  );
}

export function makeLinkRtf(): Buffer {
  const data = makeOle1('htmlfile', Buffer.alloc(16), 1, 'http://link.example.com/a.html');
  return Buffer.from(`${head}${object('htmlfile', data, 'objautlink\\objupdate')}}`);
}

export function makeOverlayRtf(): Buffer {
  return Buffer.concat([makePlainRtf(), Buffer.from('bytes behind the end')]);
}
