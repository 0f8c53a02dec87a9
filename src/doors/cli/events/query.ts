import { UsageError } from '../../../base/errors.ts';
import { type EventKind, eventKinds, type Phase, phases } from '../../../base/event-schema.ts';
import { findNearest } from '../../../engine/policy/nearest.ts';
import type { EventFilter } from '../../../engine/sensor/history/index.ts';

/** What the command line asks for, in the words of commander. */
export interface EventWishes {
  readonly kind: readonly string[];
  readonly pid: readonly string[];
  readonly call: readonly string[];
  readonly phase: readonly string[];
  readonly path?: string | undefined;
  readonly source?: string | undefined;
  readonly tree: boolean;
  readonly json: boolean;
  readonly limit?: string | undefined;
}

const splitList = (values: readonly string[]): readonly string[] => values.flatMap((value) => value.split(','));

function readKnown<T extends string>(flag: string, value: string, known: readonly T[]): T {
  const found = known.find((name) => name === value);
  if (found !== undefined) return found;
  const nearest = findNearest(value, known);
  throw new UsageError(`${flag} ${JSON.stringify(value)}: expected one of ${known.join(', ')}`, {
    ...(nearest === null ? {} : { hint: `did you mean ${nearest}?` }),
  });
}

function readNumber(flag: string, value: string, least: number, most: number): number {
  const number = /^[0-9]{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`${flag} ${JSON.stringify(value)}: expected a whole number, ${least} to ${most}`);
}

const largestPid = 4_194_304;
const largestLimit = 1_000_000_000;

export function readFilter({ kind, pid, call, phase, path, source }: EventWishes): EventFilter {
  return {
    kinds: splitList(kind).map((value): EventKind => readKnown('--kind', value, eventKinds)),
    pids: splitList(pid).map((value) => readNumber('--pid', value, 0, largestPid)),
    calls: call,
    phases: splitList(phase).map((value): Phase => readKnown('--phase', value, phases)),
    ...(path === undefined ? {} : { path }),
    ...(source === undefined ? {} : { source }),
  };
}

export function readLimit({ limit }: EventWishes): number | null {
  return limit === undefined ? null : readNumber('--limit', limit, 1, largestLimit);
}
