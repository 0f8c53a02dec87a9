import { type FileHandle, mkdir, open, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { UnpackLimits } from './contract.ts';
import { type EntryName, foldName, type RefusedName, readEntryName } from './entry-name.ts';
import type { IssueList } from './issue-list.ts';
import { copyLinks, type PendingLink } from './links.ts';
import type { Meter } from './meter.ts';

/**
 * The folder that an archive is unpacked into. Only plain files and folders are made in it, never a link, so no name can
 * lead anywhere else. It must be new and belong to us alone.
 */

export interface Known {
  readonly path: string;
  readonly is: 'file' | 'folder' | 'link';
}

export interface EntryFacts {
  readonly name: Uint8Array;
  readonly mode: number;
}

export interface Place {
  readonly known: ReadonlyMap<string, Known>;
  files: number;
  addFolder(entry: EntryFacts): Promise<void>;
  /** Content is asked for when the file may be made, and not taken to its end when it is too large. */
  addFile(entry: EntryFacts, content: () => AsyncIterable<Uint8Array>): Promise<{ bytes: number; isKept: boolean }>;
  addLink(entry: EntryFacts, target: Uint8Array, isHard: boolean): void;
  /** Links to files inside become copies, once everything is there. */
  finish(): Promise<void>;
}

const setIdBits = 0o6000;

export function createPlace(into: string, limits: UnpackLimits, strip: 0 | 1, issues: IssueList, meter: Meter): Place {
  const known = new Map<string, Known>();
  const folded = new Map<string, string>();
  const links: PendingLink[] = [];
  let namesBytes = 0;

  function remember(path: string, is: Known['is'], entry: EntryFacts): void {
    if (known.get(path)?.is === is) return;
    namesBytes += path.length * 2;
    if (known.size >= limits.maxEntries || namesBytes > limits.maxAllNamesBytes) {
      issues.stop('too-many-entries', entry.name, `more than ${limits.maxEntries} files and folders`);
    }
    known.set(path, { path, is });
    const other = folded.get(foldName(path));
    if (other === undefined) folded.set(foldName(path), path);
    else if (other !== path && !(is === 'folder' && known.get(other)?.is === 'folder')) {
      issues.add('name-collision', entry.name, 'another name differs only in case or Unicode form');
    }
  }

  function admit(entry: EntryFacts): EntryName | undefined {
    const name: EntryName | RefusedName = readEntryName(entry.name, limits, strip);
    if ('refused' in name) {
      issues.add(name.refused, entry.name, name.what);
      return undefined;
    }
    for (const { id, what } of name.notes) issues.add(id, entry.name, what);
    if ((entry.mode & setIdBits) !== 0) issues.add('set-id-mode', entry.name, 'setuid or setgid is not set on disk');
    return name;
  }

  /** Makes the folders above an entry; false when a file or a link stands in the way. */
  async function makeFolders(parts: readonly string[], entry: EntryFacts): Promise<boolean> {
    for (let depth = 1; depth <= parts.length; depth += 1) {
      const path = parts.slice(0, depth).join('/');
      const there = known.get(path)?.is;
      if (there === 'folder') continue;
      if (there === 'file') issues.add('file-folder-conflict', entry.name, 'a file has the name of this folder');
      else if (there === 'link') issues.add('through-link', entry.name, 'an earlier link has the name of this folder');
      else {
        remember(path, 'folder', entry);
        await mkdir(join(into, path), { mode: 0o755 });
        continue;
      }
      return false;
    }
    return true;
  }

  async function openFile(entry: EntryFacts): Promise<{ handle: FileHandle; path: string } | undefined> {
    const name = admit(entry);
    if (name === undefined || name.parts.length === 0) return undefined;
    if (!(await makeFolders(name.parts.slice(0, -1), entry))) return undefined;
    const path = name.parts.join('/');
    const there = known.get(path)?.is;
    if (there === 'folder') {
      issues.add('file-folder-conflict', entry.name, 'a folder has the name of this file');
      return undefined;
    }
    if (there !== undefined) issues.add('duplicate-entry', entry.name, 'this name came before; the last one counts');
    if (there === 'file') await unlink(join(into, path));
    remember(path, 'file', entry);
    const mode = (entry.mode & 0o111) === 0 ? 0o644 : 0o755;
    return { handle: await open(join(into, path), 'wx', mode), path };
  }

  const place: Place = {
    known,
    files: 0,
    async addFolder(entry) {
      const name = admit(entry);
      if (name !== undefined) await makeFolders(name.parts, entry);
    },
    async addFile(entry, content) {
      const file = await openFile(entry);
      if (file === undefined) return { bytes: 0, isKept: false };
      let bytes = 0;
      let isKept = false;
      try {
        for await (const chunk of content()) {
          bytes += chunk.length;
          if (bytes > limits.maxFileBytes) break;
          await file.handle.writeFile(chunk);
        }
        isKept = bytes <= limits.maxFileBytes;
        if (!isKept) issues.add('too-large-file', entry.name, `more than ${limits.maxFileBytes} bytes in one file`);
      } finally {
        await file.handle.close();
        if (isKept) place.files += 1;
        else {
          await rm(join(into, file.path), { force: true });
          known.delete(file.path);
        }
      }
      return { bytes, isKept };
    },
    addLink(entry, target, isHard) {
      const name = admit(entry);
      if (name === undefined || name.parts.length === 0) return;
      const path = name.parts.join('/');
      const there = known.get(path)?.is;
      if (there === 'file' || there === 'folder') {
        issues.add('duplicate-entry', entry.name, 'a link has the name of something that came before');
        return;
      }
      const above = name.parts.slice(0, -1).map((_, index) => name.parts.slice(0, index + 1).join('/'));
      if (above.some((folder) => known.get(folder)?.is === 'link')) {
        issues.add('through-link', entry.name, 'an earlier link has the name of its folder');
        return;
      }
      remember(path, 'link', entry);
      links.push({ parts: name.parts, target: Uint8Array.from(target), isHard, entry: entry.name });
    },
    async finish() {
      place.files += await copyLinks(links, { into, strip, known, issues, meter, makeFolders });
    },
  };
  return place;
}
