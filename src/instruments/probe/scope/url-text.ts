import { faultOfHost, type HostFault } from './host-text.ts';
import { faultOfPath, faultOfQuery } from './path-text.ts';

/** URLs in one spelling: what is written is what every program will make of it, or it is refused. */

export interface UrlParts {
  readonly scheme: 'http' | 'https';
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
  /** Begins with a slash. */
  readonly path: string;
  /** With its question mark; empty when there is none. */
  readonly query: string;
  /** Canonical: lower-case scheme, no port where it is the usual one. */
  readonly href: string;
}

export const longestUrl = 2048;
const usualPorts = { http: 80, https: 443 } as const;
const example = 'Write it like https://api.example.com:8443/v1/items?page=1.';

const forms: readonly (readonly [form: RegExp, reason: string, hint: string])[] = [
  [/^$/, 'it is empty', example],
  [/[\r\n]/, 'it holds a line break', example],
  [/\t/, 'it holds a tab', example],
  [/\0/, 'it holds a NUL character', example],
  [/[\x01-\x1f\x7f]/, 'it holds a control character', example],
  [/ /, 'it holds white space', 'Write a space as %20.'],
  [/\\/, 'it holds a backslash, which programs read in different ways', 'Write a backslash of a path as %5C.'],
  [/[^\x20-\x7e]/, 'it holds characters beyond ASCII', 'Percent-encode them; write an international name as xn--….'],
  [/[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]/, 'it holds a character that no URL holds', 'Percent-encode it.'],
  [/%(?![0-9A-Fa-f]{2})/, 'it holds a % without two hexadecimal digits', 'Write a percent sign as %25.'],
  [/^-/, 'it begins with a dash, and a program would take it for an option', example],
  [/^(?!https?:)[A-Za-z][A-Za-z0-9+.-]*:(?!\d)/i, 'it is neither http nor https', example],
  [/^(?!https?:)/i, 'it does not begin with http:// or https://', example],
  [/^https?:(?!\/\/)|^https?:\/\/\//i, 'its host does not stand right after two slashes', example],
];

const authorityForms: readonly (readonly [form: RegExp, reason: string, hint: string])[] = [
  [/^$/, 'it has no host', example],
  [/@/, 'it holds a user name or password (an @ before the path)', 'Credentials belong into the scope file.'],
  [/%/, 'its host holds percent-encoded characters', example],
  [/^:/, 'it has no host', example],
  [/:$/, 'its port is empty', 'Leave the colon out, or name the port.'],
  [/^\[[^\]]*$|^[^[]*\]|^.+\[/, 'its brackets do not stand around an IPv6 address', example],
  [
    /^[^[]*:[^[]*:/,
    'it holds more than one colon; an IPv6 address stands in brackets',
    'Write it like http://[2001:db8::7]:8080/.',
  ],
  [/:0$/, 'there is no port 0', example],
  [/:0\d+$/, 'its port begins with a zero', example],
  [/\][^:]/, 'something stands between the brackets and the port', example],
];

type Fault = HostFault;
const fault = (reason: string, hint: string = example): Fault => ({ reason, hint });

function firstFault(table: typeof forms, text: string): Fault | null {
  const found = table.find(([form]) => form.test(text));
  return found === undefined ? null : fault(found[1], found[2]);
}

function readAuthority(text: string, scheme: 'http' | 'https'): { host: string; port: number } | Fault {
  const found = firstFault(authorityForms, text);
  if (found !== null) return found;
  const [, bracketed, plain = '', digits] = /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (digits !== undefined && !/^\d{1,5}$/.test(digits)) return fault('its port is no number up to 65535');
  const port = digits === undefined ? usualPorts[scheme] : Number(digits);
  if (port > 65_535) return fault('its port is no number up to 65535');
  if (bracketed !== undefined && !bracketed.includes(':')) return fault('only an IPv6 address stands in brackets');
  const wrong = faultOfHost(host);
  return wrong === null ? { host, port } : fault(`its host: ${wrong.reason}`, wrong.hint);
}

/** What the parser of the platform makes of it has to be what was read here. */
function isReadAlike(parts: UrlParts, parsed: URL): boolean {
  const host = parts.host.includes(':') ? `[${parts.host}]` : parts.host;
  const port = parts.port === usualPorts[parts.scheme] ? '' : `${parts.port}`;
  return (
    parsed.protocol === `${parts.scheme}:` &&
    parsed.hostname === host &&
    parsed.port === port &&
    parsed.pathname === parts.path &&
    parsed.username === '' &&
    parsed.password === ''
  );
}

/** A URL in parts, or why it is none that can be used. `marker` may not stand before the path. */
export function readUrl(text: string, marker = 'FUZZ'): UrlParts | Fault {
  if (text.length > longestUrl) return fault(`it is longer than ${longestUrl} characters`);
  const found = firstFault(forms, text);
  if (found !== null) return found;
  const [, given = '', authority = '', rest = ''] = /^(https?):\/\/([^/?#]*)(.*)$/i.exec(text) ?? [];
  const scheme = given.toLowerCase() === 'https' ? 'https' : 'http';
  if (authority.includes(marker)) {
    return fault(`${marker} stands in its host, port or user name`, `${marker} belongs into the path or the query.`);
  }
  const place = readAuthority(authority, scheme);
  if ('reason' in place) return place;
  if (rest.includes('#')) return fault('it holds a fragment (a #), which is never sent', 'Leave it out.');
  const at = rest.indexOf('?');
  const path = (at === -1 ? rest : rest.slice(0, at)) || '/';
  const query = at === -1 ? '' : rest.slice(at);
  if (/[[\]]/.test(path)) return fault('its path holds a bracket', 'Percent-encode it.');
  const wrong = faultOfPath(path);
  if (wrong !== null) return fault(`its path: ${wrong}`, 'Write the path that is meant.');
  const wrongQuery = faultOfQuery(query);
  if (wrongQuery !== null) return fault(`its query: ${wrongQuery}`);
  if (!URL.canParse(text)) return fault('it is no URL');
  const parsed = new URL(text);
  const parts: UrlParts = { scheme, ...place, path, query: parsed.search || query, href: parsed.href };
  return isReadAlike(parts, parsed) ? parts : fault('programs read it in different ways');
}
