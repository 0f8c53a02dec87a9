import { closeSync } from 'node:fs';
import type { PendingExec } from './exec.ts';
import { isThreadOf, openProcess, ProcessInfo } from './kernel.ts';
import { readChildren, readStatus } from './proc.ts';

/**
 * The processes of a box. A notification names a thread; this finds its process, and keeps the tree right: a process is
 * met before it does anything that is reported, and at the latest when its parent ends.
 */

const farthestAncestor = 64;

export interface Known {
  readonly pid: number;
  readonly parent: number;
  /** Readable when the process has ended; -1 where there is none. */
  readonly pidfd: number;
  readonly threads: Set<number>;
  /** What it gave to `exit_group`. */
  exitCode: number | null;
  exec: PendingExec | null;
}

export interface ProcessesOptions {
  /** Has to take out what has ended: a number may be in use again. */
  readonly beforeMeeting: () => void;
  readonly onMet: (known: Known) => void;
}

export class Processes {
  readonly #byPid = new Map<number, Known>();
  readonly #byThread = new Map<number, Known>();
  readonly #info = new ProcessInfo();
  readonly #options: ProcessesOptions;

  constructor(options: ProcessesOptions) {
    this.#options = options;
  }

  get all(): Iterable<Known> {
    return this.#byPid.values();
  }

  get(pid: number): Known | undefined {
    return this.#byPid.get(pid);
  }

  /** The process of a thread that waits. */
  of(thread: number): Known {
    const main = this.#byPid.get(thread);
    if (main !== undefined) return main;
    const owner = this.#byThread.get(thread);
    if (owner !== undefined && isThreadOf(owner.pid, thread)) return owner;
    owner?.threads.delete(thread);
    this.#options.beforeMeeting();
    return this.#meetFirstThread(thread) ?? this.#meetThread(thread);
  }

  /** A thread that has the number of its process is the usual case, and the kernel tells its parent at little cost. */
  #meetFirstThread(thread: number): Known | null {
    const pidfd = openProcess(thread);
    if (pidfd < 0) return null;
    const parent = this.#info.parent(pidfd);
    if (parent !== null) return this.#meet(thread, parent, pidfd);
    closeSync(pidfd);
    return null;
  }

  #meetThread(thread: number): Known {
    const status = readStatus(thread);
    // Killed while it waited: nothing is known but its number.
    if (status === null) return this.#add(thread, 0);
    const known = this.#byPid.get(status.process) ?? this.#meet(status.process, status.parent);
    if (thread !== known.pid) {
      this.#byThread.set(thread, known);
      known.threads.add(thread);
    }
    return known;
  }

  /** A process that is about to end: its children get a new parent then, and are met while they have the true one. */
  meetChildren(known: Known): void {
    for (const child of readChildren(known.pid)) {
      if (!this.#byPid.has(child)) this.#add(child, known.pid);
    }
  }

  forget(known: Known): void {
    for (const thread of known.threads) this.#byThread.delete(thread);
    if (this.#byPid.get(known.pid) === known) this.#byPid.delete(known.pid);
    if (known.pidfd >= 0) closeSync(known.pidfd);
  }

  /** Ancestors that have done nothing so far are met first. */
  #meet(pid: number, parent: number, pidfd?: number): Known {
    const line: { readonly pid: number; readonly parent: number }[] = [];
    let ancestor = parent;
    while (this.#byPid.size > 0 && ancestor > 1 && !this.#byPid.has(ancestor) && line.length < farthestAncestor) {
      const above = readStatus(ancestor)?.parent ?? 0;
      line.unshift({ pid: ancestor, parent: above });
      ancestor = above;
    }
    // Without a known one at the top these are the host's own.
    if (this.#byPid.has(ancestor)) for (const one of line) this.#add(one.pid, one.parent);
    return this.#add(pid, parent, pidfd);
  }

  #add(pid: number, parent: number, pidfd = openProcess(pid)): Known {
    const known = { pid, parent, pidfd, threads: new Set<number>(), exitCode: null, exec: null };
    // One that is gone already never ends before our eyes; nothing is to be kept of it.
    if (known.pidfd >= 0) this.#byPid.set(pid, known);
    this.#options.onMet(known);
    return known;
  }
}
