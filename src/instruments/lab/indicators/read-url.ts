import { endsUrl, isAlphanumeric, isDigit } from './characters.ts';
import { canonical6, isAddress4, rangeOf4, rangeOf6, readHost } from './hosts.ts';
import type { Judgement } from './judge-domain.ts';
import { judgeUrl } from './judge-url.ts';
import { limits } from './limits.ts';
import { report6, reportHost } from './report-host.ts';
import { claim, type Scan } from './scan.ts';
import { isWebhook } from './tables/webhooks.ts';

const schemes = new Set(
  'http https ftp ftps sftp tftp ws wss tcp udp tls ssl ldap ldaps smb rtsp rtmp irc ircs ssh telnet socks socks4 socks5 git svn rdp vnc stratum mqtt redis mysql mongodb postgres amqp dns doh magnet'.split(
    ' ',
  ),
);
const longestScheme = 10;
const special = new Set(['http', 'https', 'ftp', 'ws', 'wss']);

/** Where the scheme before `://` begins, or -1. Letters that stand glued before it are no part of it. */
function schemeStart(text: string, at: number): number {
  let from = at;
  while (from > 0 && at - from < longestScheme && isAlphanumeric(text.charCodeAt(from - 1))) from -= 1;
  const run = text.slice(from, at).toLowerCase();
  const plus = run.length;
  for (let skip = 0; skip < plus; skip += 1) {
    const scheme = run.slice(skip);
    // Only what cannot be the end of another word may follow on letters directly.
    if (
      schemes.has(scheme) &&
      (skip === 0 ? from === 0 || !isAlphanumeric(text.charCodeAt(from - 1)) : scheme.startsWith('http'))
    )
      return from + skip;
    if (schemes.has(scheme) && skip === 0 && scheme.startsWith('http')) return from;
  }
  return -1;
}

const nestedBefore = new Set([...'=/?&#:@%+~!']);

/** The end of what starts at `from`: at a blank or a quote, or where another URL begins that is no part of this one. */
function urlEnd(scan: Scan, from: number): number {
  const { text } = scan;
  let nested = 0;
  let at = from;
  const most = Math.min(text.length, from + limits.urlLength);
  for (; at < most; at += 1) {
    const code = text.charCodeAt(at);
    if (endsUrl(code)) break;
    if (code === 58 && text.startsWith('://', at)) {
      const start = schemeStart(text, at);
      if (start < from) continue;
      nested += 1;
      if (nested > limits.nestedUrls || !nestedBefore.has(text.charAt(start - 1))) {
        at = start;
        break;
      }
    }
  }
  scan.step(at - from);
  return at;
}

const closers: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Punctuation at the end belongs to the sentence; a bracket does when it was not opened inside. */
function trimEnd(text: string): string {
  let end = text.length;
  for (let cuts = 0; cuts < 16 && end > 0; cuts += 1) {
    const last = text.charAt(end - 1);
    if (/[.,;:!?*]/.test(last)) end -= 1;
    else if (closers[last] !== undefined) {
      const inside = text.slice(0, end);
      const opener = closers[last];
      const opened = inside.split(opener).length;
      const closed = inside.split(last).length;
      if (closed <= opened) break;
      end -= 1;
    } else break;
  }
  return text.slice(0, end);
}

interface Authority {
  readonly hostFrom: number;
  readonly hostTo: number;
  readonly port: string;
  readonly end: number;
}

/** Finds host and port in `rest`, which stands after `://`. */
function readAuthority(rest: string): Authority | undefined {
  const stop = rest.search(/[/?#]/);
  const end = stop === -1 ? rest.length : stop;
  const authority = rest.slice(0, Math.min(end, 1024));
  const hostFrom = authority.lastIndexOf('@') + 1;
  const hostPort = authority.slice(hostFrom);
  const match = /^(\[[0-9a-f:.%]{2,64}\]|[^:[\],;()]{1,253})(?::(\d{1,5}))?/i.exec(hostPort);
  if (match === null) return undefined;
  const [whole, host = '', port = ''] = match;
  // What follows the host directly is no part of the URL: `http://a.pl)`, `http://a.pl,b`.
  const exact = whole.length === hostPort.length;
  return { hostFrom, hostTo: hostFrom + host.length, port, end: exact ? end : hostFrom + whole.length };
}

function canonicalUrl(scheme: string, rest: string, authority: Authority): { href: string; host: string } | undefined {
  const text =
    rest.slice(0, authority.end) +
    (authority.end < rest.length && /[/?#]/.test(rest.charAt(authority.end)) ? rest.slice(authority.end) : '');
  try {
    const isSpecial = special.has(scheme);
    const url = new URL(`${isSpecial ? scheme : 'http'}://${text}`);
    const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
    const isBare = url.pathname === '/' && url.search === '' && url.hash === '';
    const href = isBare ? url.href.replace(/\/$/, '') : url.href;
    return { href: isSpecial ? href : href.replace(/^http/, scheme), host };
  } catch {
    return undefined;
  }
}

function isUsableHost(host: string, isSpecial: boolean): boolean {
  return (
    isAddress4(host) ||
    canonical6(host) !== undefined ||
    readHost(host) !== undefined ||
    (isSpecial && host === 'localhost')
  );
}

interface ReadUrl {
  readonly href: string;
  readonly host: string;
  readonly judged: Judgement;
  readonly isWebhook: boolean;
}

function judgeWhole(scan: Scan, scheme: string, whole: string, authority: Authority): ReadUrl | undefined {
  const canonical = canonicalUrl(scheme, whole, authority);
  if (canonical === undefined || !isUsableHost(canonical.host, special.has(scheme))) return undefined;
  const { href, host } = canonical;
  const range = isAddress4(host) ? rangeOf4(host) : rangeOf6(host);
  return { href, host, judged: judgeUrl(href, host, range, scan.includePrivateAddresses), isWebhook: isWebhook(href) };
}

/** Called at the colon of `://`. */
export function readUrl(scan: Scan, at: number): number | undefined {
  const { text } = scan;
  const from = schemeStart(text, at);
  if (from === -1) return undefined;
  const scheme = text.slice(from, at).toLowerCase();
  const begin = at + 3;
  const end = urlEnd(scan, begin);
  if (end - begin >= limits.urlLength) scan.overlong += 1;
  const rest = trimEnd(text.slice(begin, end));
  const authority = readAuthority(rest);
  if (authority === undefined) return undefined;
  let whole = rest;
  if (authority.end < rest.length && !/[/?#]/.test(rest.charAt(authority.end))) whole = rest.slice(0, authority.end);
  const canonical = scan.remember('url', `${scheme}://${whole}`, () => judgeWhole(scan, scheme, whole, authority));
  if (canonical === undefined) return undefined;
  const to = begin + whole.length;
  const hostFrom = begin + authority.hostFrom;
  const hostTo = begin + authority.hostTo;
  scan.report({ type: 'url', value: canonical.href, from, to, ...canonical.judged });
  if (canonical.isWebhook) scan.report({ type: 'webhook', value: canonical.href, from, to, confidence: 0.9 });
  const place = { from: hostFrom, to: hostTo, isHost: true };
  if (canonical.host.includes(':')) report6(scan, canonical.host, place);
  else reportHost(scan, canonical.host, place);
  if (authority.port !== '' && isDigit(authority.port.charCodeAt(0))) reportPort(scan, authority.port, hostTo + 1);
  const authorityTo = begin + authority.end;
  scan.claim(from, authorityTo, claim.authority);
  scan.claim(authorityTo, to, claim.urlRest);
  return undefined;
}

const commonPorts = new Set([
  '80',
  '443',
  '22',
  '53',
  '21',
  '25',
  '110',
  '143',
  '8080',
  '8443',
  '8000',
  '3306',
  '445',
  '139',
  '3389',
  '587',
  '993',
  '995',
  '465',
]);

export function reportPort(scan: Scan, raw: string, from: number): void {
  const port = Number(raw);
  if (port < 1 || port > 65535) return;
  const isCommon = commonPorts.has(String(port));
  scan.report({
    type: 'network_port',
    value: String(port),
    from,
    to: from + raw.length,
    confidence: isCommon ? 0.2 : 0.6,
    noise: isCommon ? 'common port' : undefined,
  });
}
