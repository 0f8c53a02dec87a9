import { resolve } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import { secondMs } from '../../../base/limits.ts';
import { tiers } from '../../../base/policy-schema.ts';
import { readPolicy } from '../../../engine/policy/index.ts';
import type { ReplayPolicy } from '../../../instruments/guard/attacks/index.ts';

/** What the command line of `hotcell cve replay` says. */

const defaultTimeoutMs = 300 * secondMs;
const longestSeconds = 3600;

export function readReplayPolicy(text: string | undefined, folder: string): ReplayPolicy {
  if (text === undefined) return { is: 'none' };
  if (text.toLowerCase() === 'learnt') return { is: 'learnt' };
  const isTier = tiers.some((tier) => tier === text.toUpperCase());
  return { is: 'given', policy: readPolicy(isTier ? text.toUpperCase() : resolve(folder, text)).policy };
}

export function readTimeout(text: string | undefined): number {
  if (text === undefined) return defaultTimeoutMs;
  const seconds = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (seconds < 1 || seconds > longestSeconds) {
    throw new UsageError(
      `--timeout: expected seconds from 1 to ${longestSeconds}, not ${JSON.stringify(text.slice(0, 40))}`,
    );
  }
  return seconds * secondMs;
}
