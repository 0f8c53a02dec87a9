import { isIP } from 'node:net';
import { describeError } from '../../../base/errors.ts';
import { secondMs } from '../../../base/limits.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import { canonicalAddress } from '../../../engine/net/addresses.ts';
import type { ResolveHost } from '../../../engine/net/egress/resolve-host.ts';
import type { AddressRange } from './address-range.ts';
import type { ScopeProblem } from './problem.ts';
import { objectToAddress } from './reach.ts';

/**
 * Names become addresses once, when the scope is loaded. Whoever owns a name can point it elsewhere later, or into a
 * network of ours now: a special address counts only where the scope names it as well.
 */

export interface Pinned {
  readonly pins: readonly (readonly [name: string, addresses: readonly string[]])[];
  readonly problems: readonly ScopeProblem[];
}

const mostAddresses = 64;
const longestCause = 200;

/** For all names together: they are asked for at once, and wait for each other inside of the resolver. */
export const longestResolveMs = 60 * secondMs;

async function withinTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`there was no answer within ${ms} ms`)), ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function resolveOnce(name: string, resolve: ResolveHost, ms: number): Promise<readonly string[] | string> {
  try {
    const found = await withinTime(resolve(name), ms);
    const addresses = [
      ...new Set(
        found
          .slice(0, mostAddresses)
          .filter((text) => isIP(text) > 0)
          .map(canonicalAddress),
      ),
    ];
    return addresses.length === 0 ? 'it has no address' : addresses;
  } catch (error) {
    return forTerminal(untrusted(describeError(error), longestCause));
  }
}

export async function pinNames(
  names: readonly (readonly [place: string, name: string])[],
  ranges: readonly AddressRange[],
  resolve: ResolveHost,
  ms: number = longestResolveMs,
): Promise<Pinned> {
  const resolved = await Promise.all(
    names.map(async ([place, name]) => ({ place, name, answer: await resolveOnce(name, resolve, ms) })),
  );
  const pins: (readonly [string, readonly string[]])[] = [];
  const problems: ScopeProblem[] = [];
  for (const { place, name, answer } of resolved) {
    if (typeof answer === 'string') {
      problems.push({ path: place, what: `the name ${name} cannot be resolved: ${answer}` });
      continue;
    }
    const unnamed = answer.flatMap((address) => objectToAddress(ranges, address, true) ?? []);
    for (const { detail } of unnamed) {
      problems.push({ path: place, what: `the name ${name} leads there: ${detail}; add that address to the targets` });
    }
    if (unnamed.length === 0) pins.push([name, answer]);
  }
  return { pins, problems };
}
