import type { Writable } from 'node:stream';
import type { Verdict } from '../../../base/verdict-schema.ts';
import type { Progress } from '../../../instruments/analyze/run/index.ts';
import { formatJson } from '../terminal/index.ts';

/** Progress for programs: one JSON document per line, and the last one of each target is its result. */

export interface ResultLine {
  readonly kind: 'result';
  readonly target: string;
  /** Null where the target could not be analysed at all. */
  readonly verdict: Verdict | null;
  readonly folder: string | null;
  readonly exitCode: number;
  readonly isInterrupted: boolean;
  readonly error?: string;
}

export class EventLines {
  readonly #stream: Writable;
  readonly #startedAt = performance.now();

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  tell(target: string, progress: Progress): void {
    this.#stream.write(formatJson({ atMs: Math.round(performance.now() - this.#startedAt), target, ...progress }, 0));
  }

  end(result: ResultLine): void {
    this.#stream.write(formatJson(result, 0));
  }
}
