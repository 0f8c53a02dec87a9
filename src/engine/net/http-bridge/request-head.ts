import { TargetError } from '../../../base/errors.ts';
import type { RequestAuthority } from './contract.ts';
import { type Field, fieldValue, objectToField, objectToFields, readField } from './fields.ts';
import { type Framing, readFraming } from './framing.ts';
import { readAuthority, targetAuthority } from './target.ts';

/** The lines of a request up to its body, and what they say. Whatever two servers could read differently is refused. */

export interface RequestHead {
  readonly method: string;
  readonly target: string;
  readonly authority: RequestAuthority;
  readonly fields: readonly Field[];
  readonly framing: Framing;
  /** Nothing may come after it on this connection. */
  readonly isLast: boolean;
  /** Without their ends, as they were sent; each character is a byte. */
  readonly lines: readonly string[];
}

/** The connection that the request came over. */
export interface Way {
  readonly isTls: boolean;
  readonly port: number;
}

export interface RequestLine {
  readonly method: string;
  readonly target: string;
  readonly version: string;
}

const methodPattern = /^[A-Z][A-Z-]{0,31}$/;
const versions: ReadonlySet<string> = new Set(['HTTP/1.0', 'HTTP/1.1']);

export function readRequestLine(line: string, mostTarget: number): RequestLine {
  const [method = '', target = '', version = '', ...rest] = line.split(' ', 5);
  if (rest.length > 0 || !methodPattern.test(method)) throw new TargetError('not the first line of a request');
  if (!versions.has(version)) throw new TargetError('not a request of HTTP/1.0 or HTTP/1.1');
  if (method === 'CONNECT') throw new TargetError('CONNECT');
  if (target.length > mostTarget) throw new TargetError('a target that is too long');
  if (!/^[\x21-\x7e]+$/.test(target) || target.includes('#')) throw new TargetError('a malformed target');
  return { method, target, version };
}

/** Servers disagree on whether these have a body; to those that think not it would be the next request. */
const withoutBody: ReadonlySet<string> = new Set(['GET', 'HEAD', 'TRACE']);

function hasBody(framing: Framing): boolean {
  return framing.is === 'chunked' || framing.length > 0;
}

/** Of HTTP/1.0 it is the last unless it says otherwise, of HTTP/1.1 if it says so. */
function isLast(version: string, fields: readonly Field[]): boolean {
  const options = (fieldValue(fields, 'connection') ?? '').toLowerCase();
  return version === 'HTTP/1.0' ? !options.includes('keep-alive') : options.includes('close');
}

/** Lines without their ends, the empty one left out. Throws a TargetError, in words of ours. */
export function readHead(lines: readonly string[], way: Way, mostTarget: number): RequestHead {
  const [first = '', ...rest] = lines;
  const { method, target, version } = readRequestLine(first, mostTarget);
  const fields = rest.map(readField);
  for (const field of fields) objectToField(field);
  objectToFields(fields);
  const host = fieldValue(fields, 'host');
  if (host === null) throw new TargetError('a request without Host');
  const authority = readAuthority(host, way.port);
  const named = targetAuthority(method, target, way);
  if (named !== null && (named.host !== authority.host || named.port !== authority.port)) {
    throw new TargetError('a target with another host than Host');
  }
  if (authority.port !== way.port) throw new TargetError('another port than that of the connection');
  const framing = readFraming(version, fields);
  if (hasBody(framing) && withoutBody.has(method)) throw new TargetError(`${method} with a body`);
  return { method, target, authority, fields, framing, isLast: isLast(version, fields), lines };
}
