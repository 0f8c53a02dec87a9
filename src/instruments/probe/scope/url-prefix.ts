import type { UrlParts } from './url-text.ts';

/** Prefixes of URLs: `https://h/v1` covers `/v1` and all below `/v1/`, and not `/v10`. */

export type UrlPlace = Pick<UrlParts, 'scheme' | 'host' | 'port'>;

export interface UrlPrefix extends UrlPlace {
  readonly path: string;
  readonly href: string;
}

export function isSamePlace(left: UrlPlace, right: UrlPlace): boolean {
  return left.scheme === right.scheme && left.host === right.host && left.port === right.port;
}

export function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`);
}

/** Whether whatever is written after this beginning of a path still lies below the prefix: `/v1` could become `/v10`. */
export function staysBelow(beginning: string, prefix: string): boolean {
  return beginning.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`);
}
