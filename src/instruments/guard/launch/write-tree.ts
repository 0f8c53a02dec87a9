import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { HostError } from '../../../base/errors.ts';
import { sha256 } from '../../../base/fingerprint.ts';

/**
 * Writes the files of a server below one folder, which nobody else can enter while it is made. What is written is plain
 * files and folders of ours; a link is made last, and leads to another place in the same tree.
 */

const longestPath = 4096;

export function explainWrite(error: unknown, what: string): HostError {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new HostError(`no room is left on the disk for ${what}`, {
      cause: error,
      hint: 'free some space, or set HOTCELL_HOME to a folder on another disk',
    });
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new HostError(`${what} cannot be written: ${code}`, { cause: error, hint: 'check who owns the folder' });
  }
  return new HostError(`${what} cannot be written: ${code === '' ? String(error) : code}`, { cause: error });
}

/** The parts of a path below the tree; null for one that would lead out of it. */
export function innerParts(path: string): readonly string[] | null {
  if (path.length > longestPath || path.includes('\0') || path.startsWith('/')) return null;
  const parts = path.split('/');
  return parts.some((part) => part === '' || part === '.' || part === '..') ? null : parts;
}

export interface WrittenFile {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly mode: number;
}

export class TreeWriter {
  readonly #folder: string;
  readonly #made = new Set<string>();
  /** As it was written, by path. */
  readonly files = new Map<string, WrittenFile>();
  readonly problems: string[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  #prepare(path: string): string | null {
    const parts = innerParts(path);
    if (parts === null) {
      this.problems.push(`a file has a path that leads elsewhere: ${JSON.stringify(path.slice(0, 200))}`);
      return null;
    }
    this.#makeFolder(parts.slice(0, -1));
    return join(this.#folder, ...parts);
  }

  #makeFolder(parts: readonly string[]): void {
    const path = parts.join('/');
    if (path === '' || this.#made.has(path)) return;
    this.#makeFolder(parts.slice(0, -1));
    // A file may have stood where a folder is now.
    if (this.files.delete(path)) rmSync(join(this.#folder, path), { force: true });
    mkdirSync(join(this.#folder, path), { recursive: true, mode: 0o755 });
    chmodSync(join(this.#folder, path), 0o755);
    this.#made.add(path);
  }

  folder(path: string): void {
    const parts = innerParts(path);
    if (parts !== null) this.#makeFolder(parts);
  }

  file(path: string, bytes: Uint8Array, mode: number): void {
    const target = this.#prepare(path);
    if (target === null) return;
    if (this.#made.has(path)) this.remove(path);
    const own = (mode & 0o111) === 0 ? 0o644 : 0o755;
    writeFileSync(target, bytes, { mode: own });
    chmodSync(target, own);
    this.files.set(path, { sha256: sha256(bytes), sizeBytes: bytes.length, mode: own });
  }

  remove(path: string): void {
    const parts = innerParts(path);
    if (parts === null) return;
    rmSync(join(this.#folder, ...parts), { recursive: true, force: true });
    for (const known of [...this.files.keys()])
      if (known === path || known.startsWith(`${path}/`)) this.files.delete(known);
    for (const known of [...this.#made]) if (known === path || known.startsWith(`${path}/`)) this.#made.delete(known);
  }

  /** `to` as seen from the folder of the link, or from `root` when it begins with that. False: it leads out. */
  link(path: string, to: string, root: string): boolean {
    const lexical = to.startsWith('/')
      ? posix.relative(root, posix.normalize(to))
      : posix.normalize(posix.join(posix.dirname(path), to));
    const inner = innerParts(lexical);
    if (inner === null || innerParts(path) === null) return false;
    const target = this.#prepare(path);
    if (target === null) return false;
    rmSync(target, { recursive: true, force: true });
    this.files.delete(path);
    // Written anew without detours: `a/../..` would lead elsewhere if `a` were a link.
    symlinkSync(relative(dirname(path), inner.join('/')) || '.', target);
    return true;
  }

  /** A link to a program of the system, made by us and by nobody else. */
  systemLink(path: string, to: string): void {
    const target = this.#prepare(path);
    if (target === null) return;
    rmSync(target, { recursive: true, force: true });
    this.files.delete(path);
    symlinkSync(to, target);
  }
}
