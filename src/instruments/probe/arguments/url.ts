import type { Aim } from '../contract.ts';
import { faultOfPath } from '../scope/path-text.ts';
import { coversPorts, formatPorts } from '../scope/port-list.ts';
import type { LoadedScope } from '../scope/scope.ts';
import { isBelow, isSamePlace, staysBelow } from '../scope/url-prefix.ts';
import { readUrl, type UrlParts } from '../scope/url-text.ts';
import { aimAtHost } from './host.ts';
import { listShortly, refuse, refuseOutside } from './refuse.ts';

export interface UrlOptions {
  /** A word that has to stand once in the path or the query. */
  readonly marker?: string;
}

function checkMarker(text: string, { path, query }: UrlParts, marker: string): void {
  const count = `${path}${query}`.split(marker).length - 1;
  const hint = `Write ${marker} once, where words are to be tried: https://api.example.com/${marker}.`;
  if (count === 0) refuse('url', text, `${marker} stands neither in its path nor in its query`, hint);
  if (count > 1) refuse('url', text, `${marker} stands in it more than once`, hint);
  const [before = ''] = `${path}${query}`.split(marker, 1);
  if (/%[0-9A-Fa-f]?$/.test(before))
    refuse('url', text, `${marker} stands inside of a percent-encoded character`, hint);
  // A word that begins with a slash would make a dot segment of what stands before it.
  const empty = path.replace(marker, '').replace(/(^|\/)\.(?=\/|$)/g, '$1');
  const fault = path.includes(marker) ? faultOfPath(empty) : null;
  if (fault !== null) refuse('url', text, `its path: ${fault}`, `Write dots apart from ${marker}.`);
}

function isAllowedPath(scope: LoadedScope, parts: UrlParts, marker: string | undefined): boolean {
  const [beginning = ''] = marker === undefined ? [] : parts.path.split(marker, 1);
  const isMarked = marker !== undefined && parts.path.includes(marker);
  return scope.urls.some(
    (prefix) =>
      isSamePlace(prefix, parts) && (isMarked ? staysBelow(beginning, prefix.path) : isBelow(parts.path, prefix.path)),
  );
}

export function readUrlArgument(scope: LoadedScope, text: string, { marker }: UrlOptions = {}): Aim {
  const parts = readUrl(text, marker);
  if ('reason' in parts) return refuse('url', text, parts.reason, parts.hint);
  if (marker !== undefined) checkMarker(text, parts, marker);
  const { port, href } = parts;
  const aim = aimAtHost(scope, parts.host);
  if ('outside' in aim) return refuseOutside('url', text, aim.outside, aim.hint);
  if (!coversPorts(scope.ports, { from: port, to: port })) {
    const hint = `The scope has ${formatPorts(scope.ports.slice(0, 20))}.`;
    refuseOutside('url', text, `port ${port} is not in the scope`, hint);
  }
  if (scope.urls.length > 0 && !isAllowedPath(scope, parts, marker)) {
    const hint = `The scope has ${listShortly(scope.urls.map((prefix) => prefix.href))}.`;
    const before = marker !== undefined && parts.path.includes(marker) ? `what stands before ${marker}` : 'its path';
    refuseOutside('url', text, `${before} is below no URL of the scope`, hint);
  }
  return { label: href, ...aim, ports: [{ from: port, to: port }], url: href };
}
