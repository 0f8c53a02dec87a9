import type { Analysis } from '../../base/analysis-schema.ts';
import type { Event, EventProcess, UntrustedJson } from '../../base/event-schema.ts';
import { listOf } from '../../engine/sensor/history/index.ts';
import { most } from './facts.ts';
import { shorten, untrustedOf } from './texts.ts';

type Span = Analysis['processes'][number];

const longestName = 256;
const longestWord = 1024;
const mostWords = 32;
const longestId = 256;
/** Room that is kept for those which touched bait or leaked: a flood of others must not hide them. */
const reserved = 100;

interface Seen {
  span: Span;
  /** It has become a program of its own, or did something that must be told. */
  isTold: boolean;
}

function wordsOf(argv: unknown): UntrustedJson[] {
  return listOf(argv)
    .slice(0, mostWords)
    .flatMap((word) => untrustedOf(word, longestWord) ?? []);
}

/** The processes of a run from their births, what each became, and their ends. */
export class ProcessSpans {
  readonly #all: Seen[] = [];
  readonly #byPid = new Map<number, Seen>();
  leftOut = 0;

  see(event: Event, ms: number): void {
    const { kind, process } = event;
    if (process === undefined) return;
    if (kind === 'fork') this.#begin(event, process, ms);
    else if (kind === 'exec') this.#become(event, process, ms);
    else if (kind === 'exit') this.#finish(process, ms);
    else if (kind === 'bait-read' || kind === 'leak') this.#note(event, process, ms);
  }

  #begin(event: Event, process: EventProcess, ms: number, isNoted = false): Seen | null {
    const room = isNoted ? most.processes : most.processes - reserved;
    if (this.#all.length >= room) {
      this.leftOut += 1;
      return null;
    }
    const { pid, parent, name, argv } = process;
    const seen: Seen = {
      isTold: isNoted,
      span: {
        pid,
        parent: this.#byPid.has(parent) && parent !== pid ? parent : null,
        name: shorten(name, longestName),
        argv: wordsOf(argv),
        phase: event.phase,
        ...(event.call === undefined ? {} : { call: event.call.slice(0, longestId) }),
        fromMs: ms,
        toMs: null,
      },
    };
    this.#all.push(seen);
    this.#byPid.set(pid, seen);
    return seen;
  }

  #become(event: Event, process: EventProcess, ms: number): void {
    const { outcome, fields } = event;
    if (outcome === 'failed' || outcome === 'denied') return;
    const seen = this.#living(process.pid) ?? this.#begin(event, process, ms);
    if (seen === null) return;
    const argv = wordsOf(fields.argv);
    seen.isTold = true;
    seen.span = {
      ...seen.span,
      name: shorten(process.name, longestName),
      argv: argv.length > 0 ? argv : wordsOf(process.argv),
    };
  }

  #finish({ pid }: EventProcess, ms: number): void {
    const seen = this.#living(pid);
    if (seen !== null) seen.span = { ...seen.span, toMs: Math.max(seen.span.fromMs, ms) };
  }

  #note(event: Event, process: EventProcess, ms: number): void {
    const seen = this.#byPid.get(process.pid) ?? this.#begin(event, process, ms, true);
    if (seen !== null) seen.isTold = true;
  }

  /** Numbers are handed out again: one that has ended is not the one that is meant. */
  #living(pid: number): Seen | null {
    const seen = this.#byPid.get(pid);
    return seen === undefined || seen.span.toMs !== null ? null : seen;
  }

  /** What nobody of the target started and which never became a program is the airlock that starts the target. */
  end(): Analysis['processes'] {
    const told = this.#all.filter(({ isTold, span }) => isTold || span.parent !== null);
    const pids = new Set(told.map(({ span }) => span.pid));
    return told.map(({ span }) => (span.parent === null || pids.has(span.parent) ? span : { ...span, parent: null }));
  }
}
