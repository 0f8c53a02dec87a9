import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** The file of host keys that OpenSSH keeps: read in its own terms, and never guessed at. */

export interface KnownHost {
  readonly marker: '' | '@revoked' | '@cert-authority';
  readonly patterns: string;
  readonly type: string;
  readonly key: Buffer;
}

export type HostVerdict =
  | { readonly is: 'known' }
  | { readonly is: 'unknown' }
  | { readonly is: 'changed'; readonly types: readonly string[] }
  | { readonly is: 'revoked' }
  | { readonly is: 'certificates-only' };

const largestLine = 32 * 1024;
const largestFileLines = 100_000;

/** The first field of a key is the name of its type. */
export function readKeyType(key: Buffer): string | undefined {
  if (key.length < 4) return undefined;
  const length = key.readUInt32BE(0);
  if (length === 0 || length > 64 || key.length <= 4 + length) return undefined;
  const type = key.toString('latin1', 4, 4 + length);
  return /^[a-zA-Z0-9@.-]+$/.test(type) ? type : undefined;
}

function parseLine(line: string): KnownHost | undefined {
  const text = line.trim();
  if (text === '' || text.startsWith('#') || text.length > largestLine) return undefined;
  const fields = text.split(/[ \t]+/);
  const hasMarker = text.startsWith('@');
  const marker = hasMarker ? fields.shift() : '';
  if (marker !== '' && marker !== '@revoked' && marker !== '@cert-authority') return undefined;
  const [patterns, type, encoded] = fields;
  if (patterns === undefined || type === undefined || encoded === undefined) return undefined;
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return undefined;
  const key = Buffer.from(encoded, 'base64');
  // A line whose key says that it is of another type is damaged.
  return readKeyType(key) === type ? { marker, patterns, type, key } : undefined;
}

export function parseKnownHosts(text: string): readonly KnownHost[] {
  const lines = text.split('\n', largestFileLines);
  return lines.map(parseLine).filter((entry) => entry !== undefined);
}

/** The name that stands in the file: a port other than the usual one is part of it. */
export function hostName(host: string, port: number): string {
  return port === 22 ? host.toLowerCase() : `[${host.toLowerCase()}]:${port}`;
}

function fitsHashed(pattern: string, name: string): boolean {
  const [, version, salt, hash] = pattern.split('|');
  if (version !== '1' || salt === undefined || hash === undefined) return false;
  const wanted = Buffer.from(hash, 'base64');
  const found = createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest();
  return wanted.length === found.length && timingSafeEqual(wanted, found);
}

/** With `*` and `?`, in time that grows with the product of the lengths at most. */
export function fitsWildcard(pattern: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  let index = 0;
  while (index < name.length) {
    if (pattern[at] === '*') {
      star = at;
      resume = index;
      at += 1;
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === name[index])) {
      at += 1;
      index += 1;
    } else if (star !== -1) {
      resume += 1;
      index = resume;
      at = star + 1;
    } else return false;
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}

export function fitsHost(patterns: string, name: string): boolean {
  if (patterns.startsWith('|')) return fitsHashed(patterns, name);
  let isFound = false;
  for (const pattern of patterns.toLowerCase().split(',')) {
    if (pattern.startsWith('!')) {
      if (fitsWildcard(pattern.slice(1), name)) return false;
    } else if (pattern !== '' && fitsWildcard(pattern, name)) isFound = true;
  }
  return isFound;
}

export function judgeHost(entries: readonly KnownHost[], name: string, key: Buffer): HostVerdict {
  const fitting = entries.filter(({ patterns }) => fitsHost(patterns, name));
  if (fitting.some((entry) => entry.marker === '@revoked' && entry.key.equals(key))) return { is: 'revoked' };
  const plain = fitting.filter(({ marker }) => marker === '');
  if (plain.some((entry) => entry.key.equals(key))) return { is: 'known' };
  // A key of another type is a change too: whoever stands in between may offer the type that nobody has seen yet.
  if (plain.length > 0) return { is: 'changed', types: [...new Set(plain.map(({ type }) => type))] };
  return fitting.some(({ marker }) => marker === '@cert-authority') ? { is: 'certificates-only' } : { is: 'unknown' };
}

/** The types that the file has for a host, so that the server is asked for one of those. */
export function knownTypes(entries: readonly KnownHost[], name: string): readonly string[] {
  const plain = entries.filter(({ marker, patterns }) => marker === '' && fitsHost(patterns, name));
  return [...new Set(plain.map(({ type }) => type))];
}

export function fingerprint(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}
