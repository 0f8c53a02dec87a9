import type { IndicatorKind } from '../kind.ts';
import { reportProgram } from '../report-program.ts';
import { claim } from '../scan.ts';

export const suspiciousExecutable: IndicatorKind = {
  type: 'suspicious_executable',
  title: 'program that runs, fetches or finds things for others',
  misp: { type: 'text', category: 'Artifacts dropped' },
  readers: [
    {
      trigger: 'name',
      read: (scan, from, to) => {
        if (to - from > 40 || scan.claimAt(from) !== claim.free) return undefined;
        return reportProgram(scan, scan.text.slice(from, to), from, to) ? to : undefined;
      },
    },
  ],
};
