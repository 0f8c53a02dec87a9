import type { IncomingHttpHeaders } from 'node:http';
import { UsageError } from '../../../base/errors.ts';

/** Headers that go out, and the few that come back. */

const mostHeaders = 64;
const mostBytes = 16 * 1024;
const token = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
/** Those that belong to the connection, or say where it goes. */
const refusedNames: ReadonlySet<string> = new Set(
  'host connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade content-length expect'.split(
    ' ',
  ),
);
/** Not handed to another origin: what proves who asks. */
const privateNames = /^(?:authorization|cookie2?|proxy-authorization|.*(?:api-?key|token|secret|auth).*)$/;
const keptNames = [
  'content-type',
  'content-length',
  'content-encoding',
  'content-disposition',
  'last-modified',
  'etag',
  'server',
  'date',
  'location',
] as const;

export type Headers = ReadonlyMap<string, string>;

export function readHeaders(lines: readonly string[]): Headers {
  if (lines.length > mostHeaders || lines.join('').length > mostBytes)
    throw new UsageError('there are too many headers');
  const headers = new Map<string, string>();
  for (const line of lines) {
    const cut = line.indexOf(':');
    const name = line.slice(0, Math.max(cut, 0));
    const value = line.slice(cut + 1).trim();
    if (cut < 1 || !token.test(name)) throw new UsageError('a header is written as "Name: value"');
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
      throw new UsageError(`the value of the header ${name} has characters that cannot be sent`);
    if (refusedNames.has(name.toLowerCase())) throw new UsageError(`the header ${name} cannot be set`);
    headers.set(name.toLowerCase(), value);
  }
  return headers;
}

export function withoutSecrets(headers: Headers): Headers {
  return new Map([...headers].filter(([name]) => !privateNames.test(name)));
}

export function keptHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  return Object.fromEntries(
    keptNames.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value.slice(0, 1_000)]] : [];
    }),
  );
}
