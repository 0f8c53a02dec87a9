import { chmodSync, chownSync, closeSync, mkdirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { HostError, UsageError } from '../../../base/errors.ts';
import { callSystem } from '../../../base/ffi.ts';
import { mebibyte } from '../../../base/limits.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { BoxFolders, ChangeKind, Diff, DiskChange, PutFile } from '../contract.ts';
import type { UndoLog } from '../undo.ts';
import { codeOf, nameIn, openPlainFile, splitInside } from './beneath.ts';
import { folderMode, type Making, OpenFolders, type Owner, type Place, pathOf } from './open-folders.ts';
import { Pace } from './pace.ts';
import { type Entry, fileEntry, folderEntry, readWhole, type SnapshotRoot, takeSnapshot } from './snapshot.ts';
import { whyNotWritten, writeFileIn } from './write-file.ts';

/** The writable folders of one box: home, work and tmp, on a small file system of their own where the user is root. */

export interface DiskOptions {
  readonly folder: string;
  /** Paths of the three folders inside the box; null where the box sees the host's own paths. */
  readonly inside: BoxFolders | null;
  readonly owner: Owner;
  readonly diskBytes: number;
  /** Folders that programs may be executed from. */
  readonly executable: readonly FolderName[];
  readonly undo: UndoLog;
}

const flags = { noSuid: 2, noDevices: 4, noExecute: 8, remount: 32, bind: 4096 } as const;
const bytesPerInode = 4096;
const folderNames = ['home', 'work', 'tmp'] as const;
export type FolderName = (typeof folderNames)[number];
export const maxGetBytes = 64 * mebibyte;
export const putMode = 0o644;

export class BoxDisk {
  readonly hostFolders: BoxFolders;
  readonly insideFolders: BoxFolders;
  /** True where the kernel keeps the size limit, false where a watchdog has to. */
  readonly isLimited: boolean;
  readonly #owner: Owner;
  /** What the host put there: the state that changes are measured against. */
  readonly #before = new Map<string, Entry>();
  readonly #roots: readonly SnapshotRoot[];
  /** One for all: a caller may put its files one by one. */
  readonly #pace = new Pace();

  private constructor(hostFolders: BoxFolders, insideFolders: BoxFolders, isLimited: boolean, owner: Owner) {
    this.hostFolders = hostFolders;
    this.insideFolders = insideFolders;
    this.isLimited = isLimited;
    this.#owner = owner;
    this.#roots = folderNames
      .map((name) => ({ hostFolder: hostFolders[name], insidePath: latin1(insideFolders[name]) }))
      .sort((a, b) => b.insidePath.length - a.insidePath.length);
  }

  static create(options: DiskOptions): BoxDisk {
    const { folder, owner, undo } = options;
    mkdirSync(folder, { mode: 0o711 });
    const isRoot = process.getuid?.() === 0;
    if (isRoot) mountSmallFileSystem(folder, options.diskBytes, undo);
    const at = (name: string): string => join(folder, name);
    for (const name of folderNames) {
      mkdirSync(at(name), { mode: 0o700 });
      if (isRoot) chownSync(at(name), owner.uid, owner.gid);
      if (isRoot && options.executable.includes(name)) allowExecution(at(name), undo);
    }
    const hostFolders = { home: at('home'), work: at('work'), tmp: at('tmp') };
    const disk = new BoxDisk(hostFolders, options.inside ?? hostFolders, isRoot, owner);
    const { home, work } = disk.insideFolders;
    if (work.startsWith(`${home}/`)) disk.#makeMountPoint(work);
    return disk;
  }

  /** The work folder is mounted on a folder in home, which is no doing of the target's. Nothing runs here yet. */
  #makeMountPoint(work: string): void {
    const folder = join(this.hostFolders.home, work.slice(this.insideFolders.home.length));
    mkdirSync(folder);
    chmodSync(folder, folderMode);
    if (this.isLimited) chownSync(folder, this.#owner.uid, this.#owner.gid);
    this.#before.set(latin1(work), folderEntry(folderMode));
  }

  #locate(asked: string | Buffer): Place {
    const path = latin1(asked);
    // Folders that are in others come first.
    const found = this.#roots.find(({ insidePath }) => path === insidePath || path.startsWith(`${insidePath}/`));
    if (found === undefined) {
      throw new UsageError(`${JSON.stringify(asked.toString())} is not in the box's own folders`, {
        hint: `use a path below ${folderNames.map((name) => this.insideFolders[name]).join(', ')}`,
      });
    }
    const { hostFolder, insidePath } = found;
    return { root: hostFolder, inside: insidePath, parts: splitInside(path.slice(insidePath.length)) };
  }

  #making(): Making {
    return { owner: this.#owner, onMade: (place) => this.#before.set(pathOf(place), folderEntry(folderMode)) };
  }

  /** What the host puts there is not a change of the target's. */
  async putAll(files: Iterable<PutFile> | AsyncIterable<PutFile>): Promise<void> {
    const folders = new OpenFolders(this.#making());
    try {
      for await (const file of files) {
        this.#put(file, folders);
        if (this.#pace.isDue) await this.#pace.rest();
      }
    } finally {
      folders.close();
    }
  }

  #put({ path, content, mode = putMode }: PutFile, folders: OpenFolders): void {
    const place = this.#locate(path);
    const name = place.parts.at(-1);
    if (name === undefined)
      throw new UsageError(`cannot put a file at ${JSON.stringify(path)}: that is a folder of the box`);
    const folder = { ...place, parts: place.parts.slice(0, -1) };
    const write = (): void => writeFileIn(folders.open(folder), name, content, mode, this.#owner);
    try {
      try {
        write();
      } catch (error) {
        // The target has removed a folder that was still open here. Once more from the start, and only once.
        if (!isGone(error)) throw error;
        folders.close();
        write();
      }
    } catch (error) {
      throw new HostError(`cannot put ${JSON.stringify(path)} into the box: ${whyNotWritten(error)}`, { cause: error });
    }
    this.#before.set(pathOf(place), fileEntry(content, mode));
  }

  async get(path: string | Buffer, maxBytes: number): Promise<Buffer> {
    const place = this.#locate(path);
    const name = place.parts.at(-1);
    if (name === undefined) throw new UsageError('the path of a file is needed, not that of a folder of the box');
    const folders = new OpenFolders(null);
    try {
      const folder = folders.open({ ...place, parts: place.parts.slice(0, -1) });
      const { file, stat } = openPlainFile(nameIn(folder, name), name);
      try {
        if (stat.size > maxBytes)
          throw new HostError(
            `${JSON.stringify(path.toString())} has ${stat.size} bytes, more than the ${maxBytes} asked for`,
          );
        const buffer = Buffer.alloc(stat.size);
        return buffer.subarray(0, readWhole(file, buffer, stat.size));
      } finally {
        closeSync(file);
      }
    } finally {
      folders.close();
    }
  }

  async diff(): Promise<Diff> {
    const now = await takeSnapshot(this.#roots, this.#before);
    const changes: DiskChange[] = [];
    for (const [path, entry] of now.entries) {
      const before = this.#before.get(path);
      if (before === undefined) changes.push(describeChange('created', path, entry));
      else if (isDifferent(before, entry)) changes.push(describeChange('changed', path, entry));
    }
    for (const [path, entry] of this.#before) {
      if (!now.entries.has(path)) changes.push(describeChange('removed', path, { ...entry, sha256: null }));
    }
    return { changes: changes.sort((a, b) => (a.path < b.path ? -1 : 1)), isTruncated: now.isTruncated };
  }

  /** True when a write would have found no room. Only a limited disk can say. */
  isFull(): boolean {
    if (!this.isLimited) return false;
    const { bavail, ffree } = statfsSync(this.hostFolders.tmp);
    return bavail === 0 || ffree === 0;
  }
}

function isDifferent(a: Entry, b: Entry): boolean {
  return (
    a.type !== b.type ||
    a.mode !== b.mode ||
    a.sizeBytes !== b.sizeBytes ||
    a.sha256 !== b.sha256 ||
    a.linkTarget !== b.linkTarget
  );
}

function isGone(error: unknown): boolean {
  return codeOf(error instanceof HostError ? error.cause : error) === 'ENOENT';
}

/** Paths are text in which each character stands for one byte: names need not be UTF-8. */
function latin1(path: string | Buffer): string {
  return Buffer.from(path as string).toString('latin1');
}

function shown(latin1: string): string {
  return forTerminal(untrusted(Buffer.from(latin1, 'latin1')));
}

function describeChange(kind: ChangeKind, path: string, entry: Entry): DiskChange {
  const { type, sizeBytes, mode, sha256, linkTarget } = entry;
  const pathBytes = Buffer.from(path, 'latin1');
  const basics = { path: shown(path), pathBytes, kind, type, sizeBytes, mode, sha256 };
  return linkTarget === undefined ? basics : { ...basics, linkTarget: shown(linkTarget) };
}

function mount(source: string, target: string, type: string, mountFlags: number, options: string): void {
  const zero = (text: string): Buffer => Buffer.from(`${text}\0`);
  const { errno } = callSystem('mount', zero(source), zero(target), zero(type), mountFlags, zero(options));
  if (errno !== 0) throw new HostError(`cannot mount a file system for the box at ${target}: error ${errno}`);
}

function mountSmallFileSystem(folder: string, diskBytes: number, undo: UndoLog): void {
  undo.add(['umount', folder]);
  const options = `size=${diskBytes},nr_inodes=${Math.max(256, Math.floor(diskBytes / bytesPerInode))},mode=0711`;
  mount('hotcell', folder, 'tmpfs', flags.noSuid | flags.noDevices | flags.noExecute, options);
}

/** Nothing on the disk can be executed, but for folders that the policy names: each a mount of its own on itself. */
function allowExecution(folder: string, undo: UndoLog): void {
  undo.add(['umount', folder]);
  mount(folder, folder, '', flags.bind, '');
  mount(folder, folder, '', flags.bind | flags.remount | flags.noSuid | flags.noDevices, '');
}
