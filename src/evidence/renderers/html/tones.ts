import type { EvidenceClass, Severity } from '../../../base/finding-schema.ts';

/** Colours by meaning; what each is in light and in dark, the style says. */
export type Tone = Severity | 'good' | 'unknown' | 'plain';

export const classTones: Readonly<Record<EvidenceClass, Tone>> = {
  A: 'critical',
  B: 'high',
  C: 'medium',
  D: 'low',
  U: 'unknown',
};

export const classWords: Readonly<Record<EvidenceClass, string>> = {
  A: 'proof',
  B: 'observed',
  C: 'undeclared',
  D: 'hint',
  U: 'unknown',
};
