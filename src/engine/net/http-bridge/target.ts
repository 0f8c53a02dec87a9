import { TargetError } from '../../../base/errors.ts';
import { addressBytes } from '../addresses.ts';
import { effectiveHost } from '../egress/effective-host.ts';
import type { RequestAuthority } from './contract.ts';

/** Host and target of a request. */

const authorityPattern = /^(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(?::([0-9]{1,5}))?$/;

/** Without a port it is for the one of the connection. */
export function readAuthority(text: string, port: number): RequestAuthority {
  const [, host, digits] = authorityPattern.exec(text) ?? [];
  const named = host === undefined || host.endsWith('.') ? null : effectiveHost(host);
  // An address in another spelling is one to some and a name to others.
  const isPlain = named === null || addressBytes(named) === null || host === named || host === `[${named}]`;
  if (named === null || !isPlain) throw new TargetError('a malformed Host');
  return { host: named, port: digits === undefined ? port : Number(digits) };
}

/** The authority of the absolute form, which must be of the kind of the connection; null for the other forms. */
export function targetAuthority(
  method: string,
  target: string,
  way: { readonly isTls: boolean; readonly port: number },
): RequestAuthority | null {
  if (target.startsWith('/') || (target === '*' && method === 'OPTIONS')) return null;
  // A backslash stays in: to some servers it ends the host, to others it does not, and then paths differ.
  const [, scheme = '', authority] = /^([A-Za-z]+):\/\/([^/?]*)/.exec(target) ?? [];
  if (authority === undefined) throw new TargetError('a malformed target');
  if (scheme !== (way.isTls ? 'https' : 'http')) throw new TargetError('a target of another kind than the connection');
  return readAuthority(authority, way.port);
}
