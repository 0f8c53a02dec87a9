import type { ListingComparison } from '../../../base/analysis-schema.ts';
import { describeError, HostError } from '../../../base/errors.ts';
import type { Finding } from '../../../base/finding-schema.ts';
import type { Listing } from '../../../targets/conversation/contract.ts';
import type { Pin, PinnedListing } from '../../../targets/pins/contract.ts';
import { readPin, writePin } from '../../../targets/pins/pin-file.ts';
import {
  asComparison,
  type Cause,
  type CompareOptions,
  compareListings,
  listingFindings,
} from '../interrogate/listings/index.ts';

/** What a server offers now against what it offered the last time. */

function asListing(kept: PinnedListing): Listing {
  return { ...kept, problems: [], raw: [] };
}

/** Where a version names one content. A folder changes whenever its owner works on it, under the same version. */
const releaseKinds: readonly string[] = ['npm:', 'pypi:', 'git:', 'image:'];

function causeOf(before: Pin, now: Pin): Cause {
  const [first, second] = [before.seen.version, now.seen.version];
  const day = before.seen.at.slice(0, 10);
  const isSameRelease = first !== null && first === second && releaseKinds.some((kind) => now.subject.startsWith(kind));
  return isSameRelease
    ? { kind: 'same-version', title: `version ${first}, against ${day}` }
    : { kind: 'new-version', title: `version ${second ?? 'unknown'} against ${first ?? 'unknown'} of ${day}` };
}

export interface PinComparison {
  readonly comparison: ListingComparison;
  readonly findings: readonly Finding[];
}

export function comparePin(before: Pin, now: Pin, options: CompareOptions = {}): PinComparison {
  const difference = compareListings(asListing(before.listing), asListing(now.listing), options);
  const cause = causeOf(before, now);
  const title = cause.title.slice(0, 256);
  return {
    comparison: asComparison('pin', title, difference),
    findings: listingFindings([{ id: 'pin', title, difference }], cause),
  };
}

/** Which of the two is remembered: a release that has changed is told about until somebody removes its pin. */
export function pinToKeep(before: Pin | null, now: Pin): Pin {
  if (before === null || before.fingerprint === now.fingerprint) return now;
  return causeOf(before, now).kind === 'same-version' ? before : now;
}

/** All of it: compares with what is remembered, and remembers. Null where nothing was remembered. */
export async function checkPin(folder: string, now: Pin, options: CompareOptions = {}): Promise<PinComparison | null> {
  const before = await readPin(folder, now.subject);
  const compared = before === null ? null : comparePin(before, now, options);
  const isOnlyVaried = compared?.findings.every(({ severity }) => severity === 'info') ?? true;
  try {
    await writePin(folder, isOnlyVaried ? now : pinToKeep(before, now));
  } catch (cause) {
    throw new HostError(
      `cannot remember what the server offers in ${JSON.stringify(folder)}: ${describeError(cause)}`,
      {
        cause,
      },
    );
  }
  return compared;
}
