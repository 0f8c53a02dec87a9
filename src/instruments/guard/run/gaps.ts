import type { Policy } from '../../../base/policy-schema.ts';
import type { BoxRecord } from '../../../engine/box/contract.ts';
import type { Gap } from '../../../engine/policy/gap.ts';

/** What of a policy does not hold in a box, and whether somebody has said that it need not. */

export interface GapVerdict {
  readonly accepted: readonly Gap[];
  readonly refused: readonly Gap[];
}

/** The price of a box that is proven from inside before the server starts: accepted for everybody, and written down. */
const ownGapIds: readonly string[] = ['airlock-interpreter'];

/** Names of the gap that says that a network was wanted and is not there. */
const networkGapIds: readonly string[] = ['network-closed', 'network-gate', 'fake-network', 'network-by-name'];

function missingNetwork({ network }: Policy, { isOnNetwork, gaps }: BoxRecord): readonly Gap[] {
  const isWanted = network.mode === 'fake' || (network.mode === 'allowlist' && network.rules.length > 0);
  if (!isWanted || isOnNetwork) return [];
  const told = gaps.find(({ id }) => networkGapIds.includes(id));
  const what = 'the network is closed: a gate to the hosts of the policy needs root, and gvisor, runc or bwrap';
  return [told ?? { id: 'network-closed', path: 'network', what, effect: 'closed' }];
}

function unkeptLimits({ limitsInForce }: BoxRecord): readonly Gap[] {
  return limitsInForce
    .filter(({ by }) => by === 'none')
    .map(({ limit }): Gap => {
      const what = `nothing keeps the limit ${limit} here: it needs a control group`;
      return { id: limit === 'cpuCores' ? 'cpu-share' : limit, path: `limits.${limit}`, what, effect: 'open' };
    });
}

/** Weaker than asked, or of no use without what is missing. What is stricter than asked and works is no gap here. */
export function gapsOf(policy: Policy, record: BoxRecord): readonly Gap[] {
  const open = record.gaps.filter(({ effect }) => effect === 'open');
  const all = [...open, ...unkeptLimits(record), ...missingNetwork(policy, record)];
  const byId = new Map(all.toReversed().map((gap) => [gap.id, gap]));
  return all.filter((gap) => byId.get(gap.id) === gap);
}

export function judgeGaps(policy: Policy, record: BoxRecord, allowed: readonly string[]): GapVerdict {
  const gaps = gapsOf(policy, record);
  const isAccepted = ({ id }: Gap): boolean => allowed.includes(id) || ownGapIds.includes(id);
  return { accepted: gaps.filter(isAccepted), refused: gaps.filter((gap) => !isAccepted(gap)) };
}

/** The refusal in words, and what to do about it. */
export function describeRefusal(
  backend: string,
  refused: readonly Gap[],
): { readonly message: string; readonly hint: string } {
  const flags = refused.map(({ id }) => `--allow-gap ${id}`).join(' ');
  return {
    message: `the policy cannot be enforced in a ${backend} box: ${refused.map(({ id, what }) => `${id} (${what})`).join('; ')}`,
    hint: `another --backend may hold it (hotcell doctor says which there are); to go on without: ${flags}`,
  };
}
