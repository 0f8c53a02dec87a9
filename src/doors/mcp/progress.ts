import { secondMs } from '../../base/limits.ts';
import type { ToolProgress } from '../tools/contract.ts';

/** Progress as clients want it: a number that only grows, not more often than anybody reads it. */

export interface ProgressMessage {
  readonly progress: number;
  readonly total?: number;
  readonly message: string;
}

const hundred = 100;
/** The first few are told at once; whoever has more to tell is slowed down. */
const mostAtOnce = 8;
const leastGapMs = secondMs / 4;
const longestPhase = 200;

/** Shares that are missing or go back still give a number that grows, and never one above the total. */
export function progressCounter(): (progress: ToolProgress) => ProgressMessage {
  let last = -1;
  let isShareKnown = false;
  return ({ phase, share }) => {
    const message = phase.slice(0, longestPhase);
    if (share !== undefined && Number.isFinite(share)) isShareKnown = true;
    if (!isShareKnown) {
      last += 1;
      return { progress: last, message };
    }
    const wanted = share === undefined || !Number.isFinite(share) ? 0 : Math.max(0, Math.min(1, share)) * hundred;
    // A thousandth of what is left, where nothing better is known.
    const least = last + Math.max((hundred - last) / 1000, 0.001);
    last = wanted > last ? wanted : least;
    return { progress: last, total: Math.max(hundred, last), message };
  };
}

export interface ProgressReporter {
  readonly report: (progress: ToolProgress) => void;
  /** Nothing is sent after it. */
  stop(): void;
}

/**
 * Sends the newest of what came meanwhile, and nothing while the one before is still on its way: a
 * client that does not read costs one message.
 */
export function reportProgress(send: (message: ProgressMessage) => Promise<void>): ProgressReporter {
  const count = progressCounter();
  let newest: ToolProgress | null = null;
  let timer: NodeJS.Timeout | undefined;
  let sent = 0;
  let isBusy = false;
  let isOver = false;

  const flush = async (): Promise<void> => {
    if (isOver || isBusy || newest === null) return;
    const message = count(newest);
    newest = null;
    isBusy = true;
    sent += 1;
    try {
      await send(message);
    } catch {
      // The client has gone; its own signal says so to whoever works for it.
      isOver = true;
    }
    const goOn = (): void => {
      isBusy = false;
      void flush();
    };
    if (sent < mostAtOnce) return goOn();
    timer = setTimeout(goOn, leastGapMs);
    timer.unref();
  };
  return {
    report: (progress) => {
      newest = progress;
      void flush();
    },
    stop: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
