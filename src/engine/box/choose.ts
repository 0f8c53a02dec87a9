import { readFileSync } from 'node:fs';
import { describeError, exitCodes, HostError, UsageError } from '../../base/errors.ts';
import type { Policy } from '../../base/policy-schema.ts';
import { backends } from './backends/index.ts';
import type { BackendId, Box, BoxBackend, BoxOptions } from './contract.ts';

export interface CreateBoxOptions extends BoxOptions {
  readonly backend?: BackendId | 'auto';
}

interface PassedOver {
  readonly backend: BackendId;
  readonly because: string;
}

/** The host may allow fewer open files than a policy does; asking for more would only fail. */
function fitToHost(policy: Policy): Policy {
  const hard = Number(/^Max open files +\d+ +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1]);
  if (!(hard < policy.limits.openFiles)) return policy;
  return { ...policy, limits: { ...policy.limits, openFiles: hard } };
}

/** Makes a box on one backend, or says why not. */
async function attempt(backend: BoxBackend, policy: Policy, options: BoxOptions): Promise<Box | PassedOver> {
  const probed = await backend.check(options);
  if (probed.is === 'not-available') return { backend: backend.id, because: probed.because };
  if (probed.is !== 'yes')
    return { backend: backend.id, because: probed.is === 'error' ? probed.error.message : 'not usable here' };
  try {
    return await backend.create(fitToHost(policy), options);
  } catch (error) {
    if (error instanceof HostError) return { backend: backend.id, because: describeError(error) };
    throw error;
  }
}

function isBox(result: Box | PassedOver): result is Box {
  return 'spawn' in result;
}

/**
 * Makes a box with the strongest backend that works here, or with the one asked for. There is no way to get a box
 * that does not confine: when nothing works, nothing runs.
 */
export async function createBox(policy: Policy, options: CreateBoxOptions): Promise<Box> {
  const { backend: wanted = 'auto' } = options;
  const candidates =
    wanted === 'auto'
      ? backends.toSorted((a, b) => b.strength - a.strength)
      : backends.filter(({ id }) => id === wanted);
  if (candidates.length === 0) {
    throw new UsageError(`there is no backend called ${JSON.stringify(wanted)}`, {
      hint: `auto, ${backends.map(({ id }) => id).join(', ')}`,
    });
  }
  const passedOver: PassedOver[] = [];
  for (const backend of candidates) {
    const result = await attempt(backend, policy, options);
    if (isBox(result)) {
      result.record = { ...result.record, passedOver };
      return result;
    }
    passedOver.push(result);
  }
  const reasons = passedOver.map(({ backend, because }) => `${backend}: ${because}`).join('; ');
  throw new HostError(`no isolation available, so nothing was started. ${reasons}`, {
    exitCode: exitCodes.noIsolation,
    hint: 'hotcell doctor says what is missing and how to mend it',
  });
}
