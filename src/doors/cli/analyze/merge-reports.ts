import type { Report } from '../../../base/report-schema.ts';

/** Several runs of one command as one document; null where there is none. */
export function mergeReports(reports: readonly Report[]): Report | null {
  const [first] = reports;
  if (first === undefined) return null;
  return {
    ...first,
    durationMs: Math.max(...reports.map(({ durationMs }) => durationMs)),
    isComplete: reports.every(({ isComplete }) => isComplete),
    subjects: reports.flatMap(({ subjects }) => subjects),
  };
}
