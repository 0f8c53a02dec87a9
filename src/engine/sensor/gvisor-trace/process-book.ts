import type { EventProcess, UntrustedJson } from '../../../base/event-schema.ts';
import { bytesField, caps } from '../fields.ts';

/** What is known of the processes of one sandbox. gVisor tells each thing once, when it happens. */

export interface KnownProcess {
  readonly parent: number;
  name: UntrustedJson;
  /** Null when it went where we could not follow. */
  cwd: Uint8Array | null;
  lastNs: bigint;
}

const mostProcesses = 65_536;
const slash = 0x2f;
const separator = Uint8Array.of(slash);

function isAbsolute(path: Uint8Array): boolean {
  return path[0] === slash;
}

/** The last part of a path: what the kernel calls a process after it has become that program. */
export function nameOf(path: Uint8Array): UntrustedJson {
  return bytesField(path.subarray(path.lastIndexOf(slash) + 1), caps.name);
}

/** Null where the folder is not known. Links and dots stay as they are: only the kernel knows where they lead. */
export function joinPath(folder: Uint8Array | null, path: Uint8Array): Uint8Array | null {
  if (isAbsolute(path)) return path;
  if (folder === null || !isAbsolute(folder)) return null;
  if (path.length === 0) return folder;
  return Buffer.concat(folder.at(-1) === slash ? [folder, path] : [folder, separator, path]);
}

export class ProcessBook {
  readonly #known = new Map<number, KnownProcess>();

  get(pid: number): KnownProcess {
    return this.#known.get(pid) ?? this.add(pid, { parent: 0, name: { text: '' }, cwd: null, lastNs: 0n });
  }

  add(pid: number, known: KnownProcess): KnownProcess {
    if (this.#known.size >= mostProcesses) {
      for (const oldest of this.#known.keys()) {
        this.#known.delete(oldest);
        break;
      }
    }
    this.#known.set(pid, known);
    return known;
  }

  fork(pid: number, creator: number, isSibling: boolean): void {
    const { parent, name, cwd } = this.get(creator);
    this.add(pid, { parent: isSibling ? parent : creator, name, cwd, lastNs: 0n });
  }

  remove(pid: number): void {
    this.#known.delete(pid);
  }

  has(pid: number): boolean {
    return this.#known.has(pid);
  }

  describe(pid: number, firstPid: number): EventProcess {
    const { parent, name } = this.get(pid);
    return { pid: firstPid + pid, parent: parent === 0 ? 0 : firstPid + parent, name };
  }

  changeFolder(pid: number, folder: Uint8Array | null): void {
    this.get(pid).cwd = folder === null || folder.length > caps.path ? null : Uint8Array.from(folder);
  }
}
