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
  | {
      readonly is: 'failed';
      readonly because: Failure;
      readonly detail: string;
      readonly resolved: readonly string[];
      /** The host itself said no; everything else is silence. */
      readonly isRefusedByHost: boolean;
    };

/**
 * Decides in the place of the policy's rules. The address is empty as long as a name has not been resolved: a name that
 * may be looked up is then refused as `not-an-address`. When it throws, that
 * is a refusal.
 */
export type DecideEgress = (host: string, port: number, address: string) => EgressDecision;

export interface WayMeans {
  readonly policy: Policy;
  readonly decide?: DecideEgress | null;
  /** Waited for before each connection is attempted; nobody wants the turn any more when the signal is aborted. */
  readonly pace?: ((signal: AbortSignal) => Promise<void>) | null;
  readonly resolve: ResolveHost;
  readonly connect: ConnectAddress;
  readonly limits: Pick<EgressLimits, 'resolveMs' | 'connectMs'>;
}

const mostAddresses = 16;
const longestDetail = 300;

function fail(because: Failure, detail: string, resolved: readonly string[] = [], isRefusedByHost = false): Way {
  return { is: 'failed', because, detail: detail.slice(0, longestDetail), resolved, isRefusedByHost };
}

/** An address that the box asked for stands for itself, and needs no answer of a resolver. */
export function decideBy(
  { policy, decide = null }: Pick<WayMeans, 'policy' | 'decide'>,
  host: string,
  port: number,
  address: string,
): EgressDecision {
  if (decide === null) return decideEgress(policy, host, port, address);
  const asked = effectiveHost(host);
  const isLiteral = asked !== null && addressBytes(asked) !== null;
  try {
    return decide(host, port, address === '' && isLiteral ? asked : address);
  } catch (error) {
    const detail = `it could not be decided: ${describeError(error)}`.slice(0, longestDetail);
    return { is: 'refused', because: 'not-listed', detail };
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNREFUSED' || error.code === 'ECONNRESET');
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

/** Ends waiting when nobody wants the result any more. */
async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const left = Promise.withResolvers<never>();
  const leave = (): void => left.reject(new Error('the box left'));
  signal.addEventListener('abort', leave);
  if (signal.aborted) leave();
  try {
    await Promise.race([work, left.promise]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
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
  const { connect, limits } = means;
  // Names that the policy does not list are not even looked up: the question alone would tell somebody something.
  const first = decideBy(means, host, port, '');
  if (first.is === 'refused' && first.because !== 'not-an-address') return { ...first, resolved: [] };
  const resolved = await addressesOf(effectiveHost(host) ?? host, means, signal);
  if (typeof resolved === 'string' || resolved.length === 0) {
    const detail = typeof resolved === 'string' ? resolved : 'it has no address';
    return fail(signal.aborted ? 'box-left' : 'no-such-name', detail);
  }
  const decisions: readonly EgressDecision[] = resolved.map((address) => decideBy(means, host, port, address));
  const refusals = decisions.filter((decision) => decision.is === 'refused');
  const allowed = decisions.filter((decision) => decision.is === 'allowed');
  const [refusal] = refusals;
  if (allowed.length === 0 && refusal !== undefined) return { ...refusal, resolved };
  const skipped = refusals.map(({ detail }) => detail);
  let problem: unknown = '';
  for (const { address } of allowed) {
    if (signal.aborted) return fail('box-left', 'the box left', resolved);
    try {
      if (means.pace !== undefined && means.pace !== null) {
        await untilAborted(means.pace(signal), signal);
        signal.throwIfAborted();
        // That takes time, in which rules may have changed, or come to their end.
        const again = decideBy(means, host, port, address);
        if (again.is === 'refused') return { ...again, resolved };
      }
      const upstream = await connect(address, port, AbortSignal.any([signal, AbortSignal.timeout(limits.connectMs)]));
      return { is: 'open', upstream, address, resolved, skipped };
    } catch (error) {
      problem = error;
    }
  }
  return fail(signal.aborted ? 'box-left' : 'unreachable', describeError(problem), resolved, isRefusal(problem));
}
