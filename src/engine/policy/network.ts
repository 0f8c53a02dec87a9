import { isIPv4, isIPv6 } from 'node:net';
import { normaliseText } from '../../base/normalise.ts';
import type { NetworkRule, Policy } from '../../base/policy-schema.ts';

/**
 * Who may be connected to. `.example.com` means example.com and everything below it; `*` means every name and every
 * address. A suffix never matches an address.
 */

const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/** Shortest spelling of an IPv6 address; one that only wraps an IPv4 address becomes that. */
function canonicalIpv6(address: string): string {
  const shortest = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [, high, low] = mapped.exec(shortest) ?? [];
  if (high === undefined || low === undefined) return shortest;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join('.');
}

export function isAddress(host: string): boolean {
  return isIPv4(host) || isIPv6(host);
}

/** One spelling per host: normalised, lower case, without brackets or the dot at the end. */
export function canonicalHost(host: string): string {
  const text = normaliseText(host).text.toLowerCase().trim();
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  if (isIPv6(bare) && !bare.includes('%')) return canonicalIpv6(bare);
  return bare.length > 1 && bare.endsWith('.') ? bare.slice(0, -1) : bare;
}

function hostCovers(rule: string, host: string): boolean {
  if (rule === '*' || rule === host) return true;
  if (!rule.startsWith('.') || isAddress(host)) return false;
  return host === rule.slice(1) || host.endsWith(rule);
}

export type Endpoint = Pick<NetworkRule, 'host' | 'port'>;

function keyOf({ host, port }: Endpoint): string {
  return `${host} ${port}`;
}

/** Rules by their one spelling. */
export function endpointIndex(rules: readonly NetworkRule[]): ReadonlyMap<string, Endpoint> {
  const endpoints = rules.map(({ host, port }) => ({ host: canonicalHost(host), port }));
  return new Map(endpoints.map((endpoint) => [keyOf(endpoint), endpoint]));
}

/** Hosts of rules that cover everything a host of a rule covers: `a.b.com` is covered by `.a.b.com`, `.b.com`, `.com`, `*`. */
function widerHosts(host: string): readonly string[] {
  if (host === '*') return [];
  if (isAddress(host)) return ['*'];
  const labels = (host.startsWith('.') ? host.slice(1) : host).split('.');
  const suffixes = labels.map((_, at) => `.${labels.slice(at).join('.')}`);
  return [...suffixes.filter((suffix) => suffix !== host), '*'];
}

/** The keys of all rules that would make this one needless; its own is not among them. */
export function widerKeys({ host, port }: Endpoint): readonly string[] {
  const ports = port === '*' ? [port] : [port, '*' as const];
  const all = [host, ...widerHosts(host)].flatMap((wide) => ports.map((each) => keyOf({ host: wide, port: each })));
  return all.filter((key) => key !== keyOf({ host, port }));
}

/** True when a list of rules already allows everything that one endpoint does. */
export function isEndpointCovered(index: ReadonlyMap<string, Endpoint>, endpoint: Endpoint): boolean {
  return index.has(keyOf(endpoint)) || widerKeys(endpoint).some((key) => index.has(key));
}

export function allowsConnection(policy: Policy, host: string, port: number): boolean {
  if (policy.network.mode !== 'allowlist') return false;
  const asked = canonicalHost(host);
  if (asked === '' || asked === '*' || asked.startsWith('.')) return false;
  return policy.network.rules.some(
    (rule) => (rule.port === '*' || rule.port === port) && hostCovers(canonicalHost(rule.host), asked),
  );
}

/** True when the policy lets the target connect to anybody on any port. */
export function isUnrestricted(policy: Policy): boolean {
  return (
    policy.network.mode === 'allowlist' && policy.network.rules.some(({ host, port }) => host === '*' && port === '*')
  );
}

export function describeEndpoint({ host, port }: Endpoint): string {
  if (host === '*' && port === '*') return '*';
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}
