import type { Kind } from '../contract.ts';
import { findWord, hasWord, latin1, u16, u32 } from './bytes.ts';

const mostEntries = 4096;
const endSearchBytes = 65_557;
const endWord = 'PK\x05\x06';

interface Names {
  readonly names: readonly string[];
  readonly isEncrypted: boolean;
}

/** Names in the central directory: that is what programs open, whatever lies before it. */
function centralNames(bytes: Uint8Array): Names | null {
  const from = Math.max(0, bytes.length - endSearchBytes);
  const tail = Buffer.from(bytes.buffer, bytes.byteOffset + from, bytes.length - from);
  const end = tail.lastIndexOf(endWord, undefined, 'latin1');
  if (end === -1) return null;
  const size = u32(bytes, from + end + 12);
  const declared = u32(bytes, from + end + 16);
  // Bytes may stand before the archive; the directory then ends where its end record begins.
  const places = [from + end - size, declared];
  const start = places.find((at) => hasWord(bytes, 'PK\x01\x02', at));
  if (start === undefined) return null;
  const names: string[] = [];
  let isEncrypted = false;
  for (let at = start; names.length < mostEntries && hasWord(bytes, 'PK\x01\x02', at); ) {
    const nameLength = u16(bytes, at + 28);
    isEncrypted ||= (u16(bytes, at + 8) & 1) !== 0;
    names.push(latin1(bytes, at + 46, at + 46 + nameLength));
    at += 46 + nameLength + Math.max(0, u16(bytes, at + 30)) + Math.max(0, u16(bytes, at + 32));
  }
  return { names, isEncrypted };
}

/** Names in the local headers, for what has lost its end. */
function localNames(bytes: Uint8Array): Names {
  const names: string[] = [];
  let isEncrypted = false;
  for (let at = 0; names.length < mostEntries && at !== -1; at = findWord(bytes, 'PK\x03\x04', at + 4)) {
    isEncrypted ||= (u16(bytes, at + 6) & 1) !== 0;
    names.push(latin1(bytes, at + 30, at + 30 + Math.max(0, u16(bytes, at + 26))));
  }
  return { names, isEncrypted };
}

const officeParts: readonly (readonly [RegExp, string, string])[] = [
  [/^word\//i, 'Word document', 'wordprocessingml.document'],
  [/^xl\//i, 'Excel workbook', 'spreadsheetml.sheet'],
  [/^ppt\//i, 'PowerPoint presentation', 'presentationml.presentation'],
  [/^visio\//i, 'Visio drawing', 'visio.drawing'],
];

function recogniseOffice(names: readonly string[]): Kind | null {
  if (!names.some((name) => name.toLowerCase() === '[content_types].xml')) return null;
  for (const [pattern, what, mime] of officeParts) {
    if (!names.some((name) => pattern.test(name))) continue;
    const macros = names.some((name) => /vbaproject\.bin$/i.test(name)) ? ' with macros' : '';
    return {
      id: 'ooxml',
      title: `${what} (OOXML)${macros}`,
      mime: `application/vnd.openxmlformats-officedocument.${mime}`,
    };
  }
  return null;
}

export function recogniseZip(bytes: Uint8Array): Kind | null {
  const isPlain = hasWord(bytes, 'PK\x03\x04') || hasWord(bytes, endWord) || hasWord(bytes, 'PK00PK\x03\x04');
  if (!isPlain) return null;
  return recogniseDirectory(centralNames(bytes) ?? localNames(bytes));
}

/** For bytes that begin as something else: a directory at the end that holds makes them an archive as well. */
export function recogniseAppendedZip(bytes: Uint8Array): Kind | null {
  const found = centralNames(bytes);
  return found === null ? null : recogniseDirectory(found);
}

function recogniseDirectory({ names, isEncrypted }: Names): Kind {
  const has = (name: string): boolean => names.includes(name);
  const hasClasses = names.some((name) => name.endsWith('.class'));
  if (has('AndroidManifest.xml')) {
    const isLibrary = has('classes.jar') && !has('classes.dex');
    if (!isLibrary)
      return { id: 'apk', title: 'Android package (APK)', mime: 'application/vnd.android.package-archive' };
  }
  const office = recogniseOffice(names);
  if (office !== null) return office;
  if (hasClasses || (has('META-INF/MANIFEST.MF') && !has('mimetype'))) {
    return { id: 'jar', title: 'Java archive (JAR)', mime: 'application/java-archive' };
  }
  const count = names.length >= mostEntries ? `${mostEntries} or more` : `${names.length}`;
  const title = `ZIP archive${isEncrypted ? ', encrypted' : ''}, ${count} ${names.length === 1 ? 'entry' : 'entries'}`;
  return { id: 'zip', title, mime: 'application/zip' };
}
