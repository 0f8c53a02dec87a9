import { UsageError } from '../../../base/errors.ts';
import type { PlannedTarget } from '../../../instruments/analyze/scan/index.ts';
import type { RunCaller } from '../runs/caller.ts';
import { makePlan } from '../runs/prepare.ts';

/** Exactly one target: an answer is about one server. */

export interface TargetWish {
  readonly target?: string | undefined;
  /** Instead of a target: what would start it, word by word. */
  readonly command?: readonly string[] | undefined;
}

export interface PlannedOne {
  readonly planned: PlannedTarget;
  readonly problems: readonly string[];
}

export async function planOne({ target, command = [] }: TargetWish, caller: RunCaller): Promise<PlannedOne> {
  if ((target === undefined) === (command.length === 0)) throw new UsageError('give either target or command');
  const { targets, problems } = await makePlan(target === undefined ? [] : [target], command, caller);
  const [planned, ...others] = targets;
  if (planned === undefined) {
    throw new UsageError(`there is nothing to look at in ${JSON.stringify(target ?? command.join(' '))}`, {
      ...(problems[0] === undefined ? {} : { hint: problems[0] }),
    });
  }
  if (others.length > 0) {
    const specs = targets.slice(0, 8).map(({ spec }) => spec);
    throw new UsageError(`that names ${targets.length} servers`, { hint: `name one of ${specs.join(', ')}` });
  }
  return { planned, problems };
}
