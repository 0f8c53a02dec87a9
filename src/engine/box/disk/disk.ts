import { chownSync, mkdirSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeError, HostError, UsageError } from '../../../base/errors.ts';
import { callSystem } from '../../../base/ffi.ts';
import { mebibyte } from '../../../base/limits.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { BoxFolders, ChangeKind, Diff, DiskChange } from '../contract.ts';
import type { UndoLog } from '../undo.ts';
import { openFileBeneath, openFolderBeneath, splitInside } from './beneath.ts';
import { type Entry, folderEntry, takeSnapshot, writeFileIn } from './snapshot.ts';

/** The writable folders of one box: home, work and tmp, on a small file system of their own where the user is root. */

export interface DiskOptions {
  readonly folder: string;
  /** Paths of the three folders inside the box; null where the box sees the host's own paths. */
  readonly inside: BoxFolders | null;
  readonly owner: { readonly uid: number; readonly gid: number };
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

export class BoxDisk {
  readonly hostFolders: BoxFolders;
  readonly insideFolders: BoxFolders;
  /** True where the kernel keeps the size limit, false where a watchdog has to. */
  readonly isLimited: boolean;
  readonly #owner: DiskOptions['owner'];
  /** What the host put there: the state that changes are measured against. */
  readonly #before = new Map<string, Entry>();

  private constructor(
    hostFolders: BoxFolders,
    insideFolders: BoxFolders,
    isLimited: boolean,
    owner: DiskOptions['owner'],
  ) {
    this.hostFolders = hostFolders;
    this.insideFolders = insideFolders;
    this.isLimited = isLimited;
    this.#owner = owner;
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
    mkdirSync(folder, { mode: 0o755 });
    if (this.isLimited) chownSync(folder, this.#owner.uid, this.#owner.gid);
    this.#before.set(work, folderEntry(0o755));
  }

  /** From here down a path is text in which each character stands for one byte: names need not be UTF-8. */
  #locate(asked: string | Buffer): { root: string; parts: readonly string[] } {
    const path = Buffer.from(asked as string).toString('latin1');
    const found = folderNames
      .map((name) => ({
        root: this.hostFolders[name],
        prefix: Buffer.from(this.insideFolders[name]).toString('latin1'),
      }))
      .filter(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`))
      .sort((a, b) => b.prefix.length - a.prefix.length)[0];
    if (found === undefined) {
      throw new UsageError(`${JSON.stringify(asked.toString())} is not in the box's own folders`, {
        hint: `use a path below ${folderNames.map((name) => this.insideFolders[name]).join(', ')}`,
      });
    }
    return { root: found.root, parts: splitInside(path.slice(found.prefix.length)) };
  }

  /** What the host puts there is not a change of the target's. */
  async put(path: string, content: Uint8Array, mode: number): Promise<void> {
    const { root, parts } = this.#locate(path);
    const name = parts.at(-1);
    if (name === undefined)
      throw new UsageError(`cannot put a file at ${JSON.stringify(path)}: that is a folder of the box`);
    const folder = await openFolderBeneath(root, parts.slice(0, -1), this.#owner);
    try {
      const entry = await writeFileIn(folder, name, content, mode, this.#owner);
      this.#remember(path, entry);
    } catch (error) {
      throw new HostError(`cannot put ${JSON.stringify(path)} into the box: ${describeError(error)}`, { cause: error });
    } finally {
      await folder.close();
    }
  }

  #remember(path: string, entry: Entry): void {
    const key = (inside: string): string => Buffer.from(inside).toString('latin1');
    const [root = ''] = Object.values(this.insideFolders)
      .filter((folder) => path.startsWith(`${folder}/`))
      .sort((a, b) => b.length - a.length);
    for (let parent = dirname(path); parent.length > root.length; parent = dirname(parent)) {
      if (!this.#before.has(key(parent))) this.#before.set(key(parent), folderEntry(0o755));
    }
    this.#before.set(key(path), entry);
  }

  async get(path: string | Buffer, maxBytes: number): Promise<Buffer> {
    const { root, parts } = this.#locate(path);
    const file = await openFileBeneath(root, parts);
    try {
      const { size } = await file.stat();
      if (size > maxBytes)
        throw new HostError(
          `${JSON.stringify(path.toString())} has ${size} bytes, more than the ${maxBytes} asked for`,
        );
      const buffer = Buffer.alloc(size);
      const { bytesRead } = await file.read(buffer, 0, size, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  #roots(): { hostFolder: string; insidePath: string }[] {
    return folderNames.map((name) => ({ hostFolder: this.hostFolders[name], insidePath: this.insideFolders[name] }));
  }

  async diff(): Promise<Diff> {
    const now = await takeSnapshot(this.#roots(), this.#before);
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
  if (a.stamp === b.stamp) return false;
  return (
    a.type !== b.type ||
    a.mode !== b.mode ||
    a.sizeBytes !== b.sizeBytes ||
    a.sha256 !== b.sha256 ||
    a.sha256 === null ||
    a.linkTarget !== b.linkTarget
  );
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
