import { kibibyte, mebibyte } from '../../../../base/limits.ts';

/** How much a server is asked, and how long it is waited for. */
export interface HttpCheckLimits {
  readonly requests: number;
  readonly wholeMs: number;
  readonly perAnswerMs: number;
  /** Between the beginnings of two requests. */
  readonly gapMs: number;
  readonly answerBytes: number;
}

export const boxLimits: HttpCheckLimits = {
  requests: 300,
  wholeMs: 45_000,
  perAnswerMs: 4000,
  gapMs: 0,
  answerBytes: mebibyte,
};

export const remoteLimits: HttpCheckLimits = { ...boxLimits, requests: 80, wholeMs: 60_000, gapMs: 250 };

/** Of one exchange, in a finding. */
export const shownBytes = 2 * kibibyte;

/** The largest body that is ever sent. */
export const largeBodyBytes = 5 * mebibyte;
