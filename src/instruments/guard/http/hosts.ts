import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';

/**
 * Who may call. A page in a browser that makes its own name lead to this machine still sends that name as Host and
 * Origin, and is refused by it.
 */

const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

function withBrackets(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

const wildcards: readonly string[] = ['0.0.0.0', '::'];

export interface HostNames {
  readonly names: ReadonlySet<string>;
  /** A name can be made to lead here by anybody, a number cannot. */
  readonly isAnyNumberAllowed: boolean;
}

export function hostNames(bound: string, more: readonly string[]): HostNames {
  const names = [bound, ...more].map((name) => withBrackets(name).toLowerCase());
  return { names: new Set([...loopbackNames, ...names]), isAnyNumberAllowed: wildcards.includes(bound) };
}

export function isHostAllowed(host: string | undefined, { names, isAnyNumberAllowed }: HostNames): boolean {
  const name = /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\]\\]+)(?::\d{1,5})?$/i.exec(host ?? '')?.[1];
  if (name === undefined) return false;
  return names.has(name.toLowerCase()) || (isAnyNumberAllowed && isIP(name.replace(/^\[|\]$/g, '')) !== 0);
}

/** Programs send none; a page sends the one that it came from. */
export function isOriginAllowed(origin: string | undefined, names: HostNames): boolean {
  if (origin === undefined) return true;
  const host = /^https?:\/\/([^/]+)$/i.exec(origin)?.[1];
  return host !== undefined && isHostAllowed(host, names);
}

export function isLoopback(address: string): boolean {
  return address === '::1' || address === 'localhost' || (isIP(address) === 4 && address.startsWith('127.'));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Hashes have one length, so that neither the content nor the length of the token shows in the time it takes. */
export function hasToken(header: string | undefined, token: string): boolean {
  const given = /^Bearer +([^\s]+) *$/i.exec(header ?? '')?.[1];
  return timingSafeEqual(digest(given ?? ''), digest(token)) && given !== undefined;
}
