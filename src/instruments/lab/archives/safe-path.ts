import { sha256 } from '../../../base/fingerprint.ts';

/** Paths below a folder, whatever an archive calls its entries: one per entry, unlike every other on any file system. */

export interface SafePath {
  readonly path: string;
  readonly note?: string;
}

const mostComponentBytes = 120;
const mostDepth = 32;
const mostPathBytes = 900;
const reservedNames = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i;
/** Controls, invisible and direction-changing characters, and what Windows forbids in names. */
const unsafe = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}<>:"|?*]/gu;

export interface PathMaker {
  readonly make: (name: string) => SafePath;
}

/** True when a name points out of the folder it is unpacked in: by `..`, from the root or from a drive. */
export function pointsOutside(name: string): boolean {
  return /^[\\/]/.test(name) || /^[A-Za-z]:/.test(name) || name.split(/[\\/]/).includes('..');
}

export function makePaths(): PathMaker {
  const files = new Set<string>();
  const folders = new Set<string>();
  return {
    make: (name) => {
      const notes: string[] = [];
      if (pointsOutside(name)) notes.push('the name points outside of the folder; kept below it');
      const parts = splitName(name);
      const cleaned = parts.slice(-mostDepth).map((part) => cleanComponent(part));
      if (parts.length > mostDepth) notes.push('folders left out: nested too deep');
      if (cleaned.some((part, at) => part !== parts.slice(-mostDepth)[at])) notes.push('characters or length changed');
      const short = shorten(cleaned.length === 0 ? ['unnamed'] : cleaned);
      const path = firstFree(short, files, folders);
      if (path !== short.join('/')) notes.push('renamed: the name was taken');
      return notes.length === 0 ? { path } : { path, note: notes.join('; ') };
    },
  };
}

function splitName(name: string): readonly string[] {
  const withoutDrive = name.replace(/^[A-Za-z]:(?=[\\/]|$)/, '');
  return withoutDrive.split(/[\\/]/).filter((part) => part !== '' && part !== '.' && part !== '..');
}

function cleanComponent(part: string): string {
  const visible = part
    .toWellFormed()
    .normalize('NFC')
    .replace(unsafe, '_')
    .replace(/[. ]+$/, (tail) => '_'.repeat(Math.min(tail.length, 8)));
  const allowed = reservedNames.test(visible) ? `_${visible}` : visible;
  // A name that begins with a dash would be an option to the next tool, one with a tilde a home folder.
  const plain = /^[-~]/.test(allowed) ? `_${allowed}` : allowed;
  if (Buffer.byteLength(plain) <= mostComponentBytes) return plain;
  const ending = /\.[A-Za-z0-9]{1,8}$/.exec(plain)?.[0] ?? '';
  return `${cutBytes(plain, mostComponentBytes - 18 - ending.length)}~${digest(part)}${ending}`;
}

function shorten(parts: readonly string[]): readonly string[] {
  if (Buffer.byteLength(parts.join('/')) <= mostPathBytes) return parts;
  return [`long~${digest(parts.join('/'))}`, parts.at(-1) ?? 'unnamed'];
}

function digest(text: string): string {
  return sha256(text).slice(0, 16);
}

function cutBytes(text: string, most: number): string {
  let cut = text.slice(0, most);
  while (Buffer.byteLength(cut) > most) cut = cut.slice(0, -1);
  return cut.toWellFormed();
}

/** How file systems that ignore case and forms of letters would compare it. */
function fold(path: string): string {
  return path.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase();
}

function firstFree(parts: readonly string[], files: Set<string>, folders: Set<string>): string {
  const own = [...parts];
  // A folder may not be where a file already is.
  for (let at = 0; at < own.length - 1; at += 1) {
    const plain = own[at] ?? '';
    for (let turn = 2; files.has(fold(own.slice(0, at + 1).join('/'))); turn += 1) own[at] = `${plain}~${turn}`;
  }
  const last = own.length - 1;
  const plain = own[last] ?? '';
  const dot = plain.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [plain.slice(0, dot), plain.slice(dot)] : [plain, ''];
  const isTaken = (): boolean => {
    const key = fold(own.join('/'));
    return files.has(key) || folders.has(key);
  };
  for (let turn = 2; isTaken(); turn += 1) own[last] = `${stem}~${turn}${ending}`;
  files.add(fold(own.join('/')));
  for (let at = 1; at < own.length; at += 1) folders.add(fold(own.slice(0, at).join('/')));
  return own.join('/');
}
