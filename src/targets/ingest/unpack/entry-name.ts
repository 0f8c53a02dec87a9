import type { ArchiveIssueId, UnpackLimits } from './contract.ts';

/** Where an entry may be placed, or why it may not. */
export interface EntryName {
  /** Parts of a path below the folder; none for the folder itself. */
  readonly parts: readonly string[];
  readonly isFolder: boolean;
  readonly notes: readonly { readonly id: ArchiveIssueId; readonly what: string }[];
}

export interface RefusedName {
  readonly refused: ArchiveIssueId;
  readonly what: string;
}

/** Bytes that are no UTF-8 become `%XX`, so that two different names stay different. */
function decode(raw: Uint8Array): { text: string; isOdd: boolean } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw), isOdd: false };
  } catch {
    const text = Array.from(raw, (byte) =>
      byte < 0x80 ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    ).join('');
    return { text, isOdd: true };
  }
}

function refuse(refused: ArchiveIssueId, what: string): RefusedName {
  return { refused, what };
}

export function readEntryName(raw: Uint8Array, limits: UnpackLimits, strip: 0 | 1 = 0): EntryName | RefusedName {
  if (raw.includes(0)) return refuse('nul-in-name', 'the name holds NUL: different programs see different names');
  if (raw.length > limits.maxPathBytes)
    return refuse('path-too-long', `the name has more than ${limits.maxPathBytes} bytes`);
  const { text, isOdd } = decode(raw);
  const notes: { id: ArchiveIssueId; what: string }[] = [];
  if (isOdd) notes.push({ id: 'odd-name', what: 'the name is not valid UTF-8' });
  else if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text)) {
    notes.push({ id: 'odd-name', what: 'the name holds characters that cannot be seen' });
  }
  if (text.includes('\\')) notes.push({ id: 'backslash', what: 'backslashes in the name are taken as separators' });
  const name = text.replaceAll('\\', '/');
  if (name.startsWith('/')) return refuse('absolute-path', 'the name is an absolute path');
  if (/^[A-Za-z]:/.test(name)) return refuse('drive-letter', 'the name begins with a drive letter');
  const all = name.split('/').filter((part) => part !== '' && part !== '.');
  if (all.includes('..')) return refuse('path-traversal', 'the name leads out of the folder with ..');
  if (name === '') return refuse('empty-name', 'the entry has no name');
  const isFolder = /\/\.?$/.test(name) || all.length === 0;
  if (strip > 0 && all.length <= strip && !isFolder) {
    return refuse('outside-top-folder', 'the entry is not in the top folder, so an install leaves it out');
  }
  const parts = all.slice(strip);
  if (parts.length > limits.maxDepth) return refuse('path-too-deep', `more than ${limits.maxDepth} folders deep`);
  if (parts.some((part) => Buffer.byteLength(part) > limits.maxNameBytes)) {
    return refuse('path-too-long', `a part of the name has more than ${limits.maxNameBytes} bytes`);
  }
  return { parts, isFolder, notes };
}

/** Equal for names that a file system without case, or one with another Unicode form, takes for the same. */
export function foldName(path: string): string {
  return path.normalize('NFKC').toLowerCase().normalize('NFC');
}

/**
 * Where a link leads, as parts below the folder; nothing when it leads out. Lexical on purpose: no link is ever made
 * on disk, so there is nothing on the way that could change its meaning.
 */
export function resolveLink(from: readonly string[], target: string): readonly string[] | undefined {
  const name = target.replaceAll('\\', '/');
  if (name === '' || name.includes('\0') || name.startsWith('/') || /^[A-Za-z]:/.test(name)) return undefined;
  const parts = [...from];
  for (const part of name.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts;
}
