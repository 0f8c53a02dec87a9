import { mebibyte, minuteMs, secondMs } from '../../../../base/limits.ts';

/** What a model may cost and how long it may take. */
export interface ModelLimits {
  /** Requests of one model in all, those made again included. */
  readonly mostRequests: number;
  /** Tokens in all: what was sent, by its size, and the most that each answer may have. */
  readonly mostTokens: number;
  /** The most that one answer may have. */
  readonly answerTokens: number;
  readonly requestMs: number;
  /** For all requests of one `propose` together. */
  readonly totalMs: number;
  /** Before a request is made again, where the service does not say how long. */
  readonly retryMs: number;
  readonly toolsPerRequest: number;
  readonly mostTools: number;
  /** Of one answer. */
  readonly answerBytes: number;
}

export const defaultModelLimits: ModelLimits = {
  mostRequests: 12,
  mostTokens: 150_000,
  answerTokens: 4096,
  requestMs: minuteMs,
  totalMs: 2 * minuteMs,
  retryMs: secondMs,
  toolsPerRequest: 5,
  mostTools: 40,
  answerBytes: mebibyte,
};
