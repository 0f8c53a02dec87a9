import { canonicalPaths } from '../../../engine/net/http-bridge/canonical-paths.ts';
import { quote } from '../../../engine/policy/read/problem.ts';
import { faultOfHost } from './host-text.ts';
import { faultOfPath } from './path-text.ts';
import { allowsPort, namesAddress } from './reach.ts';
import type { LoadedScope } from './scope.ts';
import { isBelow, isSamePlace } from './url-prefix.ts';

/** Whether one request keeps to the scope. */

export interface ScopedRequest {
  readonly scheme: 'http' | 'https';
  /** Of the Host header, without port and brackets. */
  readonly host: string;
  readonly port: number;
  readonly method: string;
  /** Every way in which a server may read its path, as it was written first; each of them has to be allowed. */
  readonly paths: readonly string[];
}

export function namesHost(scope: Pick<LoadedScope, 'ranges' | 'pins'>, host: string): boolean {
  return faultOfHost(host) === null && (scope.pins.has(host) || namesAddress(scope, host));
}

/** A tunnel leads to where its request says, past everything that is checked here. */
export const tunnelMethod = 'CONNECT';

/** `%2f` and `%2F` are the same. */
function spellEscapes(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase());
}

/** A prefix with escapes or parameters is read in as many ways as a path below it. */
function readingsOf(prefix: string): readonly string[] {
  return /^(?:\/[A-Za-z0-9._~-]+)*\/?$/.test(prefix) ? [prefix] : canonicalPaths(prefix);
}

/** As it was written a path has to be below a prefix as that was written; any other reading, below a reading of one. */
function objectToPath(scope: LoadedScope, request: ScopedRequest, path: string, isWritten: boolean): string | null {
  const withoutQuery = path.split(/[?#]/, 1)[0] ?? '';
  const fault = faultOfPath(withoutQuery);
  if (fault !== null) return `the path ${quote(path)} is refused: ${fault}`;
  const asked = spellEscapes(withoutQuery);
  const isAllowed = scope.urls.some(
    (prefix) =>
      isSamePlace(prefix, request) &&
      (isWritten ? [prefix.path] : readingsOf(prefix.path)).some((each) => isBelow(asked, spellEscapes(each))),
  );
  return isAllowed ? null : `the path ${quote(path)} is below no URL of the scope`;
}

/** Why a request is out of scope, in words; null when it is in. */
export function objectToRequest(scope: LoadedScope, request: ScopedRequest): string | null {
  const { host, port, method, paths } = request;
  if (!namesHost(scope, host)) return `the host ${quote(host)} is not in the scope`;
  if (!allowsPort(scope, port)) return `port ${port} is not in the scope`;
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}$/.test(method)) return `${quote(method)} is no method`;
  if (method.toUpperCase() === tunnelMethod) return 'CONNECT would lead past the scope';
  if (scope.methods.length > 0 && !scope.methods.includes(method)) {
    return `the method ${method} is not in the scope, which has ${scope.methods.join(', ')}`;
  }
  if (scope.urls.length === 0) return null;
  if (paths.length === 0) return 'it has no path';
  for (const [at, path] of paths.entries()) {
    const objection = objectToPath(scope, request, path, at === 0);
    if (objection !== null) return objection;
  }
  return null;
}
