import type { PortRange } from '../contract.ts';
import type { LoadedScope } from '../scope/scope.ts';
import { openRanges } from './open-ranges.ts';

/** What containers may reach, as addresses: a scope whose names have been pinned, without anything that rules cannot say. */
export interface ReachList {
  /** Literal addresses and CIDRs of both families. */
  readonly ranges: readonly string[];
  /** TCP ports. */
  readonly ports: readonly PortRange[] | 'all';
  /** From then on none of it is reached any more. Null: no end. */
  readonly until: Date | null;
  /** Fingerprint of the scope that it comes from; stands in the rules, so that a listing tells whose they are. */
  readonly fingerprint: string | null;
}

/** Names of the scope are reached at the addresses that they were pinned to. */
export function reachOfScope(
  scope: Pick<LoadedScope, 'ranges' | 'pins' | 'ports' | 'fingerprint'>,
  until: Date | null,
): ReachList {
  return {
    ranges: [...scope.ranges.flatMap(openRanges).map(({ text }) => text), ...[...scope.pins.values()].flat()],
    ports: scope.ports,
    until,
    fingerprint: scope.fingerprint,
  };
}
