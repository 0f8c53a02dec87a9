import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { TargetError } from '../../../base/errors.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import { canonicalAddress } from '../../../engine/net/addresses.ts';
import { specialKind } from '../../../engine/net/egress/special-address.ts';
import { canonicalHost } from '../../../engine/policy/network.ts';
import type { FetchAllowance, FetchOrder } from './contract.ts';

/** Which address a URL leads to, and whether one may go there. The address that is given back is the one connected to. */

const mostAddresses = 64;

export interface CheckedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

export function shown(text: string): string {
  return forTerminal(untrusted(text, 200));
}

function isAllowed(url: URL, host: string, allow: FetchAllowance): boolean {
  if (allow.privateAddresses === true) return true;
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  const bracketed = isIP(host) === 6 ? `[${host}]` : host;
  return (allow.hosts ?? []).some((rule) => {
    const wanted = rule.toLowerCase();
    return canonicalHost(wanted) === host || wanted === `${bracketed}:${port}`;
  });
}

/** All addresses of an answer must be public: one of them being so is how a check is walked around. */
export async function checkAddress(url: URL, order: FetchOrder): Promise<CheckedAddress> {
  const host = canonicalHost(url.hostname);
  const resolve = order.resolve ?? resolveAll;
  const isLiteral = isIP(host) !== 0;
  const found = isLiteral ? [{ address: host, family: isIP(host) }] : await resolveName(host, resolve);
  const addresses = found.slice(0, mostAddresses).map(({ address }) => canonicalAddress(address));
  const [first] = addresses;
  if (first === undefined) throw new TargetError(`${shown(host)} has no address`);
  if (!isAllowed(url, host, order.allow ?? {})) {
    for (const address of addresses) {
      const kind = specialKind(address);
      if (kind !== null) throw refusal(host, address, kind, isLiteral);
    }
  }
  return { address: first, family: isIP(first) === 6 ? 6 : 4 };
}

function refusal(host: string, address: string, kind: string, isLiteral: boolean): TargetError {
  const where = isLiteral ? shown(host) : `${shown(host)} leads to ${shown(address)}, which`;
  return new TargetError(`${where} is no address of the public internet (${kind}): not fetched`, {
    hint: 'allow this host by name if it is meant',
  });
}

async function resolveName(
  host: string,
  resolve: NonNullable<FetchOrder['resolve']>,
): Promise<readonly LookupAddress[]> {
  try {
    return await resolve(host);
  } catch (cause) {
    throw new TargetError(`the name ${shown(host)} cannot be resolved`, { cause });
  }
}

function resolveAll(host: string): Promise<readonly LookupAddress[]> {
  return lookup(host, { all: true, order: 'verbatim' });
}
