import type { Socket } from 'node:net';
import { describeError } from '../../../base/errors.ts';
import type { Policy } from '../../../base/policy-schema.ts';
import { addressBytes } from '../addresses.ts';
import type { ConnectAddress } from './connect-address.ts';
import { decideEgress, type EgressDecision, type Refusal } from './decide.ts';
import { effectiveHost } from './effective-host.ts';
import type { EgressLimits } from './limits.ts';
import type { ResolveHost } from './resolve-host.ts';

/**
 * The way to a host that the box asked for. The name is resolved once, every address of the answer is checked, and the
 * connection goes to an address that was: a second answer, which could be another one, is never asked for.
 */

/** Why an allowed connection did not come about. */
export type Failure = 'no-such-name' | 'unreachable' | 'box-left';

export type Way =
  | {
      readonly is: 'open';
      readonly upstream: Socket;
      readonly address: string;
      readonly resolved: readonly string[];
      /** What was said of the addresses that were passed over. */
      readonly skipped: readonly string[];
    }
  | { readonly is: 'refused'; readonly because: Refusal; readonly detail: string; readonly resolved: readonly string[] }
  | { readonly is: 'failed'; readonly because: Failure; readonly detail: string; readonly resolved: readonly string[] };

export interface WayMeans {
  readonly policy: Policy;
  readonly resolve: ResolveHost;
  readonly connect: ConnectAddress;
  readonly limits: Pick<EgressLimits, 'resolveMs' | 'connectMs'>;
}

const mostAddresses = 16;
const longestDetail = 300;

function fail(because: Failure, detail: string, resolved: readonly string[] = []): Way {
  return { is: 'failed', because, detail: detail.slice(0, longestDetail), resolved };
}

/** Ends waiting when the time is over or the box is gone; the work itself may go on and is then of no use. */
function within<T>(work: Promise<T>, milliseconds: number, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (why: string) => () => reject(new Error(why));
    const timer = setTimeout(giveUp('it took too long'), milliseconds);
    const leave = giveUp('the box left');
    signal.addEventListener('abort', leave);
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
    });
  });
}

/** An address that stands for itself is not looked up. */
async function addressesOf(host: string, means: WayMeans, signal: AbortSignal): Promise<readonly string[] | string> {
  if (addressBytes(host) !== null) return [host];
  try {
    const found = await within(means.resolve(host), means.limits.resolveMs, signal);
    return [...new Set(found)].slice(0, mostAddresses);
  } catch (error) {
    return describeError(error);
  }
}

export async function findWay(means: WayMeans, host: string, port: number, signal: AbortSignal): Promise<Way> {
  const { policy, connect, limits } = means;
  // Names that the policy does not list are not even looked up: the question alone would tell somebody something.
  const first = decideEgress(policy, host, port, '');
  if (first.is === 'refused' && first.because !== 'not-an-address') return { ...first, resolved: [] };
  const resolved = await addressesOf(effectiveHost(host) ?? host, means, signal);
  if (typeof resolved === 'string' || resolved.length === 0) {
    const detail = typeof resolved === 'string' ? resolved : 'it has no address';
    return fail(signal.aborted ? 'box-left' : 'no-such-name', detail);
  }
  const decisions: readonly EgressDecision[] = resolved.map((address) => decideEgress(policy, host, port, address));
  const refusals = decisions.filter((decision) => decision.is === 'refused');
  const allowed = decisions.filter((decision) => decision.is === 'allowed');
  const [refusal] = refusals;
  if (allowed.length === 0 && refusal !== undefined) return { ...refusal, resolved };
  const skipped = refusals.map(({ detail }) => detail);
  let problem = '';
  for (const { address } of allowed) {
    if (signal.aborted) return fail('box-left', 'the box left', resolved);
    try {
      const upstream = await connect(address, port, AbortSignal.any([signal, AbortSignal.timeout(limits.connectMs)]));
      return { is: 'open', upstream, address, resolved, skipped };
    } catch (error) {
      problem = describeError(error);
    }
  }
  return fail(signal.aborted ? 'box-left' : 'unreachable', problem, resolved);
}
