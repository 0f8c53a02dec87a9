import { canonicalPaths, liesBelow } from '../../../../engine/net/http-bridge/canonical-paths.ts';
import type { RequestLimits } from '../../contract.ts';
import type { AuditInput } from '../contract.ts';
import { AuditFailure } from './failure.ts';

/** Whether a request keeps to the aim and to the limits of the scope, however its path is spelled. */

type Bounds = Pick<AuditInput, 'host' | 'ports' | 'limits'>;

const bare = (host: string): string => host.toLowerCase().replace(/^\[|\]$/g, '');

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

export function isUrlCovered(url: URL, { urls }: RequestLimits): boolean {
  if (urls.length === 0) return true;
  const readings = canonicalPaths(url.pathname);
  return urls.some((text) => {
    const prefix = URL.canParse(text) ? new URL(text) : null;
    if (prefix === null || prefix.origin !== url.origin) return false;
    return liesBelow(readings, prefix.pathname);
  });
}

export function isMethodCovered(method: string, { methods }: RequestLimits): boolean {
  return methods.length === 0 || methods.includes(method);
}

/** The URL to send to; throws an AuditFailure where it may not be sent. */
export function coveredUrl(text: string, method: string, { host, ports, limits }: Bounds): URL {
  const refuse = (because: string): AuditFailure => new AuditFailure('not-allowed', because);
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) throw refuse('not an http or https URL');
  if (url.username !== '' || url.password !== '') throw refuse('a user in the URL');
  if (bare(url.hostname) !== bare(host)) throw refuse('another host than the one that is scanned');
  if (method.toUpperCase() === 'CONNECT') throw refuse('CONNECT would lead past the scope');
  const port = portOf(url);
  if (!ports.some(({ from, to }) => from <= port && port <= to)) throw refuse(`port ${port} is not scanned`);
  if (!isMethodCovered(method, limits)) throw refuse(`the scope does not allow the method ${method}`);
  if (!isUrlCovered(url, limits)) throw refuse('the scope does not allow this path');
  return url;
}
