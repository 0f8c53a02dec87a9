import type { Analysis } from '../../base/analysis-schema.ts';
import type { Event } from '../../base/event-schema.ts';
import { most } from './facts.ts';

type Span = Analysis['phases'][number];

/**
 * From when to when each phase lasted. A phase ends where the next one begins. What the network saw is handed over late,
 * so an event from before the present phase does not open a new one.
 */
export class PhaseSpans {
  readonly #spans: Span[] = [];
  /** Where the run is now, once there is no room for another phase. */
  #beyond: Span | null = null;
  leftOut = 0;

  see({ phase }: Pick<Event, 'phase'>, ms: number): void {
    const last = this.#beyond ?? this.#spans.at(-1);
    if (last === undefined || (last.phase !== phase && ms >= last.toMs)) this.#open({ phase, fromMs: ms, toMs: ms });
    else if (last.phase === phase) last.toMs = Math.max(last.toMs, ms);
    else this.#lateFor(phase, ms);
  }

  #open(span: Span): void {
    if (this.#spans.length < most.phases) {
      this.#spans.push(span);
      return;
    }
    this.leftOut += 1;
    this.#beyond = span;
  }

  /** Widens the phase it belongs to; one that was over before anything of it was told is put where it belongs. */
  #lateFor(phase: Span['phase'], ms: number): void {
    const at = this.#spans.findLastIndex((span) => span.phase === phase);
    const span = this.#spans[at];
    if (span !== undefined) {
      const earliest = this.#spans[at - 1]?.fromMs ?? 0;
      if (ms < span.fromMs && ms >= earliest) this.#spans[at] = { ...span, fromMs: ms };
      return;
    }
    if (this.#spans.length >= most.phases) return;
    const after = this.#spans.findIndex(({ fromMs }) => fromMs > ms);
    this.#spans.splice(after === -1 ? this.#spans.length : after, 0, { phase, fromMs: ms, toMs: ms });
  }

  end(lastMs: number): Analysis['phases'] {
    return this.#spans.map(({ phase, fromMs }, at) => ({
      phase,
      fromMs,
      toMs: Math.max(fromMs, this.#spans[at + 1]?.fromMs ?? lastMs),
    }));
  }
}
