import type { Kind } from '../contract.ts';
import { findWord, hasWord, latin1, u8, u16, u32 } from './bytes.ts';
import { recogniseElf, recogniseMacho } from './elf-macho.ts';
import { magics } from './magic.ts';
import { recogniseOle2 } from './ole2.ts';
import { recognisePe } from './pe.ts';
import { recogniseZip } from './zip.ts';

/** Kinds of files that are not text, each by its own rule; the first that holds wins. */

const pdfSearchBytes = 1024;

export function recognisePdf(bytes: Uint8Array): Kind | null {
  const at = findWord(bytes, '%PDF-', 0, pdfSearchBytes + 5);
  if (at === -1) return null;
  const version = /^\d\.\d/.exec(latin1(bytes, at + 5, at + 8))?.[0];
  const place = at === 0 ? '' : `, ${at} bytes in`;
  return {
    id: 'pdf',
    title: `PDF document${version === undefined ? '' : `, version ${version}`}${place}`,
    mime: 'application/pdf',
  };
}

function recogniseRtf(bytes: Uint8Array): Kind | null {
  const head = latin1(bytes, 0, 16)
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  return head.startsWith('{\\rt') ? { id: 'rtf', title: 'RTF document', mime: 'application/rtf' } : null;
}

function recogniseMagic(bytes: Uint8Array): Kind | null {
  for (const { kind, title, mime, at, word, also } of magics) {
    if (!hasWord(bytes, word, at)) continue;
    if (also !== undefined && !hasWord(bytes, also.word, also.at)) continue;
    return { id: kind, title, mime };
  }
  return null;
}

const pycMagics: readonly (readonly [number, number])[] = [
  [3000, 3800],
  [20121, 20123],
  [50428, 50823],
  [60202, 62215],
];
const codeObject = 0x63;

function recognisePyc(bytes: Uint8Array): Kind | null {
  const magic = u16(bytes, 0);
  if (!hasWord(bytes, '\r\n', 2) || !pycMagics.some(([low, high]) => magic >= low && magic <= high)) return null;
  const isCode = [8, 12, 16].some((at) => (u8(bytes, at) & 0x7f) === codeObject);
  return isCode ? { id: 'pyc', title: 'compiled Python', mime: 'application/x-python-code' } : null;
}

const isoPlaces = [0x8001, 0x8801, 0x9001];

function recogniseIso(bytes: Uint8Array): Kind | null {
  const mime = 'application/x-iso9660-image';
  if (isoPlaces.some((at) => hasWord(bytes, 'CD001', at))) return { id: 'iso', title: 'ISO 9660 image', mime };
  return hasWord(bytes, 'BEA01', 0x8001) ? { id: 'iso', title: 'UDF image', mime } : null;
}

/** The checksum of the header counts itself as spaces. */
function recogniseTar(bytes: Uint8Array): Kind | null {
  if (bytes.length < 512 || bytes[0] === 0) return null;
  const claimed = Number.parseInt(latin1(bytes, 148, 156).replace(/[\0 ]+/g, ''), 8);
  let sum = 8 * 32;
  for (let at = 0; at < 512; at += 1) sum += at >= 148 && at < 156 ? 0 : (bytes[at] ?? 0);
  return claimed === sum ? { id: 'tar', title: 'tar archive', mime: 'application/x-tar' } : null;
}

/** The first buffer of a trace has a header of 72 bytes, and then a system header of a fixed form. */
function recogniseEtl(bytes: Uint8Array): Kind | null {
  const size = u32(bytes, 0);
  const isBuffer = size >= 1024 && size <= 16 * 1024 * 1024 && size % 512 === 0;
  if (!isBuffer || u16(bytes, 0x48) > 4 || (u8(bytes, 0x4a) !== 1 && u8(bytes, 0x4a) !== 2)) return null;
  if (u8(bytes, 0x4b) !== 0xc0) return null;
  return { id: 'etl', title: 'Windows event trace', mime: 'application/x-ms-etl' };
}

function recogniseIcon(bytes: Uint8Array): Kind | null {
  const images = u16(bytes, 4);
  const isIcon = hasWord(bytes, '\0\0\x01\0') && images > 0 && images < 64 && u8(bytes, 9) === 0;
  if (!isIcon || u32(bytes, 18) < 6 || u32(bytes, 18) > bytes.length) return null;
  return { id: 'image', title: 'Windows icon', mime: 'image/vnd.microsoft.icon' };
}

export const binaryRules: readonly ((bytes: Uint8Array) => Kind | null)[] = [
  recognisePe,
  recogniseElf,
  recogniseOle2,
  recogniseMacho,
  recogniseZip,
  recogniseMagic,
  recogniseRtf,
  recognisePyc,
  recogniseIcon,
  recogniseEtl,
  recogniseIso,
  recognisePdf,
  recogniseTar,
];
