import type { Event } from '../../base/event-schema.ts';
import { pathText, programOf, wordsOf } from './event-fields.ts';

/** The processes of a run, as far as detectors ask: who started whom, what it runs, where, and when it ended. */

const mostProcesses = 20_000;

export interface SeenProcess {
  readonly pid: number;
  readonly parent: number;
  readonly start: Event;
  /** The last program that it became; null while it is only a copy of its parent. */
  exec: Event | null;
  program: string;
  folder: string | null;
  end: Event | null;
  /** Opened nothing but /dev/null before it became a program: its input and output go nowhere. */
  nothings: number;
}

export class Processes {
  readonly #seen = new Map<number, SeenProcess>();
  /** Those that ended, without their pids, which may be used again. */
  readonly #ended: SeenProcess[] = [];

  see(event: Event): SeenProcess | null {
    const { kind, process, outcome } = event;
    if (process === undefined) return null;
    if (kind === 'fork') return this.#begin(event, process.pid, process.parent);
    if (kind !== 'exec' && kind !== 'exit' && kind !== 'open') return this.#seen.get(process.pid) ?? null;
    const known = this.#seen.get(process.pid);
    if (kind === 'open') {
      if (known !== undefined && known.exec === null && pathText(event.fields.path) === '/dev/null')
        known.nothings += 1;
      return known ?? null;
    }
    const own = known ?? this.#begin(event, process.pid, process.parent);
    if (own === null) return null;
    if (kind === 'exit') this.#finish(own, event);
    else if (outcome !== 'failed' && outcome !== 'denied') {
      own.exec = event;
      own.program = programOf(event);
      own.folder = pathText(event.fields.cwd) ?? own.folder;
    }
    return own;
  }

  #begin(start: Event, pid: number, parent: number): SeenProcess | null {
    if (this.#seen.size >= mostProcesses) return null;
    const above = this.#seen.get(parent);
    const process: SeenProcess = {
      pid,
      parent,
      start,
      exec: null,
      program: above?.program ?? programOf(start),
      folder: above?.folder ?? null,
      end: null,
      nothings: 0,
    };
    this.#seen.set(pid, process);
    return process;
  }

  #finish(process: SeenProcess, end: Event): void {
    process.end = end;
    this.#seen.delete(process.pid);
    if (this.#ended.length < mostProcesses) this.#ended.push(process);
  }

  get(pid: number | undefined): SeenProcess | null {
    return pid === undefined ? null : (this.#seen.get(pid) ?? null);
  }

  /** In the order in which they ended; those that nothing told the end of come last. */
  all(): readonly SeenProcess[] {
    return [...this.#ended, ...this.#seen.values()];
  }

  get alive(): number {
    return this.#seen.size;
  }

  /** From its parent upwards. */
  above(process: SeenProcess): readonly SeenProcess[] {
    const found: SeenProcess[] = [];
    for (let at = this.#seen.get(process.parent); at !== undefined && found.length < 32; at = this.#seen.get(at.parent))
      found.push(at);
    return found;
  }
}

/** The file that an interpreter was given to run, where the words say so. */
export function scriptOf(event: Event): string | undefined {
  return wordsOf(event)
    .slice(1)
    .find((word) => !word.startsWith('-'));
}

/** What an interpreter runs, as far as its first words tell: `-m pip` and `/usr/bin/pip` are both found. */
export function runsScript(words: readonly string[], script: RegExp): boolean {
  return words.slice(1, 4).some((word) => script.test(word));
}
