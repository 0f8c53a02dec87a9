import { isIP } from 'node:net';

/**
 * Which names a request may call us by. A page in a browser that makes its own name lead to this machine still sends
 * that name as Host and Origin, and is refused by it.
 */

const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

export interface HostRule {
  readonly names: ReadonlySet<string>;
  /** A name can be made to lead here by anybody, a number cannot. */
  readonly isAnyNumberAllowed: boolean;
}

function withBrackets(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

const wildcards: readonly string[] = ['0.0.0.0', '::'];

export function hostRule(boundHost: string, more: readonly string[] = []): HostRule {
  const names = [...loopbackNames, withBrackets(boundHost), ...more.map(withBrackets)];
  return {
    names: new Set(names.map((name) => name.toLowerCase())),
    isAnyNumberAllowed: wildcards.includes(boundHost),
  };
}

/** Name of `name:port`, in lower case and with brackets around IPv6; null where it is no such thing. */
export function hostName(host: string): string | null {
  const found = /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\]\\]+)(?::\d{1,5})?$/i.exec(host);
  return found?.[1]?.toLowerCase() ?? null;
}

export function isHostAllowed(host: string | undefined, rule: HostRule): boolean {
  const name = host === undefined ? null : hostName(host);
  if (name === null) return false;
  return rule.names.has(name) || (rule.isAnyNumberAllowed && isIP(name.replace(/^\[|\]$/g, '')) !== 0);
}

/** Programs send none; a page sends the one it came from. */
export function isOriginAllowed(origin: string | undefined, rule: HostRule): boolean {
  if (origin === undefined) return true;
  const found = /^https?:\/\/([^/]+)$/i.exec(origin);
  return found?.[1] !== undefined && isHostAllowed(found[1], rule);
}

/** Only programs on this machine can reach it. */
export function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}
