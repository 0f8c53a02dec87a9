/**
 * Every way in which a usual server could read the path of a request. Servers differ in how often they decode, what
 * they take for a slash, where a path ends and when they resolve dot segments; one that sits in front of another does
 * two of these one after the other. So all steps are applied to all results until nothing new comes out.
 */

/** Stands for the readings that were not made; it lies below no prefix. */
export const noPath = '';

const mostReadings = 128;
const mostCharacters = 128 * 1024;

/** `%41`, once. What is no such escape stays. */
function decodeOnce(path: string): string {
  return path.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

const unreserved = /[a-z0-9._~-]/i;

/** Only what never needs an escape, which is as far as many that stand in front of a server go. */
function decodeUnreserved(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (code) => (unreserved.test(decodeOnce(code)) ? decodeOnce(code) : code));
}

/** `%u002e` of old servers; beyond ASCII as UTF-8, which the next step looks at. */
function decodeWide(path: string): string {
  return path.replace(/%u([0-9a-f]{4})/gi, (_, code: string) =>
    Buffer.from(String.fromCharCode(Number.parseInt(code, 16)), 'utf8').toString('latin1'),
  );
}

const overlong = /[\xc0\xc1][\x80-\xbf]|\xe0[\x80\x81][\x80-\xbf]|\xf0\x80[\x80\x81][\x80-\xbf]/g;

/** UTF-8 that is longer than it has to be, read by a careless decoder: always a character of ASCII. */
function readOverlong(path: string): string {
  return path.replace(overlong, (found) => {
    const last = found.charCodeAt(found.length - 1) & 0x3f;
    const before = found.charCodeAt(found.length - 2) & (found.length === 2 ? 0x1f : 0x3f);
    return String.fromCharCode((before << 6) | last);
  });
}

/** Characters that are turned into others (full width, small and one-dot forms, other slashes) or into nothing at all. */
function foldAlike(path: string): string {
  if (!/[\x80-\xff]/.test(path)) return path;
  const folded = Buffer.from(path, 'latin1')
    .toString('utf8')
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/[\u2044\u2215\u29f8]/g, '/')
    .replaceAll(/[\u2216\u29f5\u29f9]/g, '\\');
  return Buffer.from(folded, 'utf8').toString('latin1');
}

function mapSegments(path: string, map: (segment: string) => string): string {
  return path.split('/').map(map).join('/');
}

/** Spaces and controls at the end of a name do not count on some systems. */
function trimEnd(segment: string): string {
  let end = segment.length;
  while (end > 0 && segment.charCodeAt(end - 1) <= 0x20) end -= 1;
  return segment.slice(0, end);
}

function before(mark: string): (path: string) => string {
  return (path) => {
    const at = path.indexOf(mark);
    return at === -1 ? path : path.slice(0, at);
  };
}

/** `//host/path` as a reference to another host, of which only the path is left. */
function dropHost(path: string): string {
  if (!path.startsWith('//')) return path;
  const at = path.indexOf('/', 2);
  return at === -1 ? '/' : path.slice(at);
}

function resolveDots(path: string): string {
  const segments = path.split('/').slice(1);
  const kept: string[] = [];
  segments.forEach((segment, at) => {
    const isLast = at === segments.length - 1;
    if (segment === '..') kept.pop();
    if (segment !== '.' && segment !== '..') kept.push(segment);
    else if (isLast) kept.push('');
  });
  return `/${kept.join('/')}`;
}

const steps: readonly ((path: string) => string)[] = [
  resolveDots,
  decodeOnce,
  decodeUnreserved,
  decodeWide,
  readOverlong,
  foldAlike,
  (path) => path.replaceAll('\\', '/'),
  (path) => path.replaceAll(/\/{2,}/g, '/'),
  dropHost,
  (path) => mapSegments(path, before(';')),
  (path) => mapSegments(path, trimEnd),
  (path) => path.replaceAll(/[\t\r\n]/g, ''),
  before(';'),
  before('?'),
  before('#'),
  before('\0'),
];

/** To many a backslash ends the host, and is the first slash of the path. */
const absolute = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\]*/i;

/** Path and query of a target in any of its forms; null where there is none. */
function afterAuthority(target: string): string | null {
  if (target.startsWith('/')) return target;
  const [prefix] = absolute.exec(target) ?? [];
  if (prefix === undefined) return null;
  const rest = target.slice(prefix.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** `*` and what has no path at all is `noPath`. The literal reading is the first. */
export function canonicalPaths(target: string): readonly string[] {
  const whole = afterAuthority(target);
  if (whole === null) return [noPath];
  const readings = new Set([before('?')(whole)]);
  let characters = 0;
  for (const reading of readings) {
    characters += reading.length;
    for (const step of steps) {
      const next = step(reading);
      readings.add(next.startsWith('/') ? next : `/${next}`);
    }
    if (readings.size > mostReadings || characters > mostCharacters)
      return [...[...readings].slice(0, mostReadings), noPath];
  }
  return [...readings];
}

/** `%2f` and `%2F` are the same. */
function spellEscapes(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase());
}

/**
 * Whether every reading lies below the prefix: it itself, or further down. `/v1` has `/v1/users` below it and not
 * `/v10`; `/v1/` has not `/v1`. The prefix may be written with escapes, which mean the same in every reading.
 */
export function liesBelow(paths: readonly string[], prefix: string): boolean {
  const prefixes = canonicalPaths(prefix);
  if (prefixes.includes(noPath)) return false;
  const isBelow = (path: string, each: string): boolean =>
    path === each || path.startsWith(each.endsWith('/') ? each : `${each}/`);
  const spelled = prefixes.map(spellEscapes);
  // As it is written a path has to be below the prefix as that is written: `/v1;x` can be read as `/v1`, and is not it.
  const above = (at: number): readonly string[] => (at === 0 ? spelled.slice(0, 1) : spelled);
  return paths.length > 0 && paths.every((path, at) => above(at).some((each) => isBelow(spellEscapes(path), each)));
}
