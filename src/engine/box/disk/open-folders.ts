import { chmodSync, chownSync, closeSync, mkdirSync } from 'node:fs';
import { HostError } from '../../../base/errors.ts';
import { codeOf, nameIn, openFolder, shown } from './beneath.ts';

/** A place in one of the folders of a box. In text each character stands for one byte: names need not be UTF-8. */
export interface Place {
  /** The folder of the box on the host. */
  readonly root: string;
  /** The same as the box sees it. */
  readonly inside: string;
  readonly parts: readonly string[];
}

export function pathOf({ inside, parts }: Place): string {
  return parts.length === 0 ? inside : `${inside}/${parts.join('/')}`;
}

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Where missing folders are to be made: for whom, and who hears of each. */
export interface Making {
  readonly owner: Owner;
  readonly onMade: (place: Place) => void;
}

export const folderMode = 0o755;
const mostOpen = 128;

/**
 * Folders of a box that are kept open, so that many files can be put into them without walking there each time. A folder
 * that the target has moved since stays the one that was opened: nothing is ever put anywhere else than into a folder that
 * was reached without a link.
 */
export class OpenFolders {
  /** The one used longest ago comes first. */
  readonly #open = new Map<string, number>();
  readonly #making: Making | null;
  readonly #most: number;

  constructor(making: Making | null, most = mostOpen) {
    this.#making = making;
    // The folder before the one being opened has to stay open.
    this.#most = Math.max(2, most);
  }

  get size(): number {
    return this.#open.size;
  }

  /** The descriptor stays this object's, and is good until the next call. */
  open(place: Place): number {
    const key = pathOf(place);
    const found = this.#open.get(key);
    if (found !== undefined) {
      this.#open.delete(key);
      this.#open.set(key, found);
      return found;
    }
    const name = place.parts.at(-1);
    const folder = name === undefined ? openFolder(place.root) : this.#openIn(place, name);
    this.#keep(key, folder);
    return folder;
  }

  #openIn(place: Place, name: string): number {
    const path = nameIn(this.open({ ...place, parts: place.parts.slice(0, -1) }), name);
    try {
      return openFolder(path);
    } catch (error) {
      if (this.#making === null || codeOf(error) !== 'ENOENT') throw explain(name, error);
      return make(path, place, name, this.#making);
    }
  }

  #keep(key: string, folder: number): void {
    this.#open.set(key, folder);
    if (this.#open.size <= this.#most) return;
    const [oldest] = this.#open;
    if (oldest === undefined) return;
    this.#open.delete(oldest[0]);
    closeSync(oldest[1]);
  }

  close(): void {
    const folders = [...this.#open.values()];
    this.#open.clear();
    for (const folder of folders) closeSync(folder);
  }
}

function make(path: Buffer, place: Place, name: string, { owner, onMade }: Making): number {
  let folder: number | null = null;
  try {
    // The target may be quicker and put something there. A folder is as good as ours; anything else is refused.
    const isMade = wasMade(path);
    folder = openFolder(path);
    if (isMade) {
      // An open folder cannot be swapped for a link any more.
      chownSync(`/proc/self/fd/${folder}`, owner.uid, owner.gid);
      chmodSync(`/proc/self/fd/${folder}`, folderMode);
      onMade(place);
    }
    return folder;
  } catch (error) {
    if (folder !== null) closeSync(folder);
    throw explain(name, error);
  }
}

function wasMade(path: Buffer): boolean {
  try {
    mkdirSync(path, folderMode);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function explain(name: string, cause: unknown): HostError {
  const code = codeOf(cause);
  const isLink = code === 'ELOOP' || code === 'ENOTDIR';
  const what = isLink ? 'it is a link or no folder, and is not followed' : code;
  return new HostError(`cannot open ${shown(name)} in the box: ${what}`, { cause });
}
