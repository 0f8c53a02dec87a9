import { isIPv4, isIPv6 } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { confusableScripts, describeChanges, looksLatin, normaliseText } from '../../../base/normalise.ts';
import { canonicalHost } from '../network.ts';
import { type Findings, quote } from './problem.ts';

/** Names of hosts: what cannot be compared safely is refused, what can be mistaken is told. */

/** An IDN is looked at as people see it. */
function confusingLabels(host: string): readonly string[] {
  const seen = host.includes('xn--') ? domainToUnicode(host.replace(/^\./, '')) || host : host;
  return seen.split('.').flatMap((label) => {
    if (looksLatin(label)) return [`${quote(label)} has no Latin letter but looks as if it had`];
    const scripts = confusableScripts(label);
    return scripts.length === 0 ? [] : [`${quote(label)} mixes ${scripts.join(' and ')} letters`];
  });
}

function asciiAdvice(host: string): string {
  const ascii = domainToASCII(host.replace(/^\./, ''));
  return ascii === '' ? '' : `, such as ${host.startsWith('.') ? '.' : ''}${ascii}`;
}

/** What is wrong with a host, as what was expected; null when nothing is. */
function faultOf(host: string): string | null {
  if (!/^[\x20-\x7e]*$/.test(host)) {
    return [`a host name in its ASCII form${asciiAdvice(host)}`, ...confusingLabels(host)].join('; ');
  }
  if (host.includes(':')) return isIPv6(host) && !host.includes('%') ? null : 'an IPv6 address';
  const last = host.split('.').at(-1) ?? '';
  // Programs read such a name as an address, each in its own way.
  if (/^(\d+|0x[0-9a-f]*)$/.test(last)) return isIPv4(host) ? null : 'an IPv4 address with four numbers';
  return null;
}

/** The host in its one spelling; null after a fault has been noted. */
export function readHost(host: string, path: string, { problems, notices }: Findings): string | null {
  const { changes } = normaliseText(host);
  if (changes.length > 0) {
    const found = `${quote(host)} (normalised: ${describeChanges(changes)})`;
    problems.push({ path, expected: 'a host without invisible or look-alike characters', found });
    return null;
  }
  const canonical = canonicalHost(host);
  const fault = canonical === '*' ? null : faultOf(canonical);
  if (fault !== null) {
    problems.push({ path, expected: fault, found: quote(host) });
    return null;
  }
  for (const what of confusingLabels(canonical)) notices.push({ id: 'confusable-host', path, what });
  return canonical;
}
