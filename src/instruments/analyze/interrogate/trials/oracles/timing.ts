import { excerpt } from '../../../inspect/rule.ts';
import type { Look } from './contract.ts';

/** A baseline this short is measured with more noise than time. */
const shortestBaselineMs = 20;

/** Waiting is not working: without a baseline of the same length there is nothing to compare with. */
export const lookAtTime: Look<'timing'> = ({ ratio, leastMs }, { result, baselineMs }) => {
  const { durationMs, outcome } = result;
  if (baselineMs === undefined || !Number.isFinite(baselineMs) || outcome === 'gone') return null;
  const times = durationMs / Math.max(baselineMs, shortestBaselineMs);
  if (durationMs < leastMs || times < ratio) return null;
  return {
    evidenceClass: 'B',
    events: [],
    excerpt: excerpt(`${Math.round(durationMs)} ms against ${Math.round(baselineMs)} ms`),
    because: `it took ${Math.round(times)} times as long as a harmless value of the same length`,
  };
};
