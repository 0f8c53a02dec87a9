import type { Analysis } from '../../../base/analysis-schema.ts';

/**
 * Where a moment lies on the picture, in percent. Each phase is to scale in itself, but none is narrower than its name: a
 * start of a tenth of a second beside a minute of trials would not be seen, and it is where most harm is done.
 */
export interface TimeScale {
  at(ms: number): number;
  readonly spans: readonly (Analysis['phases'][number] & { readonly left: number; readonly right: number })[];
}

const whole = 100;
/** Share of the width that is dealt out evenly; the rest goes by the root of how long each lasted. */
const evenShare = 0.5;

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

export function makeTimeScale({ phases, ...lists }: Pick<Analysis, 'phases' | 'calls' | 'processes'>): TimeScale {
  const ends = [...lists.calls, ...lists.processes].map(({ fromMs, toMs }) => toMs ?? fromMs);
  const lastMs = Math.max(1, ...ends, ...phases.map(({ toMs }) => toMs));
  const real = phases.length > 0 ? phases : [{ phase: 'use' as const, fromMs: 0, toMs: lastMs }];
  const weights = real.map(({ fromMs, toMs }) => Math.sqrt(Math.max(0.01, toMs - fromMs)));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  let left = 0;
  const spans = real.map((span, at) => {
    const width = whole * (evenShare / real.length + (1 - evenShare) * ((weights[at] ?? 0) / sum));
    const placed = { ...span, left: round(left), right: round(left + width) };
    left += width;
    return placed;
  });
  const at = (ms: number): number => {
    const span = spans.findLast(({ fromMs }) => ms >= fromMs) ?? spans[0];
    if (span === undefined) return 0;
    const share = (ms - span.fromMs) / Math.max(0.01, span.toMs - span.fromMs);
    return round(span.left + (span.right - span.left) * Math.min(1, Math.max(0, share)));
  };
  return { at, spans };
}
