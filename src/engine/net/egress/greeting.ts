import { type ClientHello, readClientHello, tasteHello } from '../tls/client-hello.ts';
import { effectiveHost } from './effective-host.ts';

/**
 * What the box says first. The name in a TLS hello decides which of the hosts behind an address is spoken to, so it
 * has to be the one that was allowed; what looks like TLS and cannot be read is not let through for that reason.
 */

export type Greeting =
  | { readonly is: 'tls'; readonly hello: ClientHello }
  | { readonly is: 'unreadable-tls' }
  | { readonly is: 'http'; readonly method: string; readonly path: string; readonly host: string | null }
  | { readonly is: 'other' };

/** More than any hello of a program that exists. */
export const longestGreeting = 32 * 1024;
/** A reader that stopped counting may have missed a name. */
const mostExtensions = 256;
const serverNameExtension = 0;

function isTls(bytes: Buffer): boolean {
  return bytes[0] === 22 && (bytes.length < 2 || bytes[1] === 3);
}

/** False while a hello is not all there. Nothing else is ever held back. */
export function isWholeGreeting(bytes: Buffer): boolean {
  return !isTls(bytes) || (bytes.length > 5 && tasteHello(bytes) !== 'more');
}

const requestLine = /^([A-Z][A-Z-]{1,19}) ([^\r\n ]{1,8192}) HTTP\/1\.[01]\r?\n/;
const hostHeader = /\r?\nhost:[ \t]*([^\r\n]{0,300})/i;

function readHttp(bytes: Buffer): Greeting {
  const text = bytes.toString('latin1');
  const [line = '', method, path] = requestLine.exec(text) ?? [];
  if (method === undefined || path === undefined) return { is: 'other' };
  const head = text.slice(line.length - 1).split(/\r?\n\r?\n/, 1)[0] ?? '';
  return { is: 'http', method, path, host: hostHeader.exec(head)?.[1]?.trim() ?? null };
}

export function readGreeting(bytes: Buffer): Greeting {
  if (!isTls(bytes)) return readHttp(bytes.subarray(0, longestGreeting));
  const hello = isWholeGreeting(bytes) ? readClientHello(bytes) : null;
  if (hello === null || hello.extensions.length > mostExtensions) return { is: 'unreadable-tls' };
  const names = hello.extensions.filter((type) => type === serverNameExtension).length;
  const isReadable = names === (hello.serverName === null ? 0 : 1);
  return isReadable ? { is: 'tls', hello } : { is: 'unreadable-tls' };
}

/** Whether the name in a hello is the host that was asked for. */
export function isSameHost(serverName: string, host: string): boolean {
  const named = effectiveHost(serverName);
  return named !== null && named === effectiveHost(host);
}
