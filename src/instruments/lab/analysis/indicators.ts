import type { SampleText } from '../contract.ts';
import type { LabReport } from '../report/schema.ts';
import { extractApart } from './extract-apart.ts';

/** Indicators of everything that was read out of a sample, for a report. */

const mostShown = 300;
const mostPerType = 50;

export interface ReportIndicators {
  readonly indicators: LabReport['indicators'];
  readonly counts: Record<string, number>;
  readonly noise: number;
  readonly notes: readonly string[];
}

export async function gatherIndicators(
  texts: readonly SampleText[],
  ownHashes: readonly string[],
  signal: AbortSignal,
): Promise<ReportIndicators> {
  const whole = await extractApart(texts, { ownHashes, limit: mostPerType }, signal);
  const counts = Object.entries(whole.totals).map(([type, { total }]): [string, number] => [type, total]);
  return {
    indicators: whole.indicators.slice(0, mostShown).map(({ type, value, confidence, count, sources, noise }) => ({
      type,
      value,
      confidence,
      count,
      sources: [...sources],
      noise: noise ?? null,
    })),
    counts: Object.fromEntries(counts.filter(([, total]) => total > 0)),
    noise: whole.noiseTotal,
    notes: whole.notes,
  };
}
