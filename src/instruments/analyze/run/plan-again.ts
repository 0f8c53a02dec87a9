import { UsageError } from '../../../base/errors.ts';
import type { TargetContext } from '../../../targets/ingest/target/contract.ts';
import { describeTarget, parseTarget } from '../../../targets/ingest/target/parse.ts';
import type { PlannedTarget } from '../scan/index.ts';
import { type Chosen, pinTarget } from './focus.ts';
import type { RunRecord } from './run-record.ts';

/** The words of a target as the run knew it, or as its report shows it. */
export function planAgain({ subject }: Chosen, record: RunRecord | null, context: TargetContext): PlannedTarget {
  const { spec, resolved } = subject.target;
  try {
    const target = pinTarget(parseTarget(record?.target ?? spec, context), resolved);
    return { spec: record === null ? spec : describeTarget(target), target };
  } catch (cause) {
    if (!(cause instanceof UsageError)) throw cause;
    throw new UsageError(`the target of that run cannot be found again: ${cause.message}`, {
      cause,
      hint: 'hotcell analyze TARGET runs all of it again',
    });
  }
}
