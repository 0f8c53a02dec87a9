import { isAlphanumeric, isHex } from './characters.ts';
import { canonical6 } from './hosts.ts';
import { report6 } from './report-host.ts';
import { claim, type Scan } from './scan.ts';

/** Called at `:` — the run of hexadecimal digits and colons around it is an IPv6 address, a range of them, or a MAC address. */
const longest = 64;

function isPart(code: number): boolean {
  return isHex(code) || code === 58 || code === 46;
}

export function readColons(scan: Scan, at: number): number | undefined {
  const { text } = scan;
  if (scan.claimAt(at) !== claim.free) return undefined;
  let from = at;
  while (from > 0 && at - from <= 4 && isHex(text.charCodeAt(from - 1))) from -= 1;
  let to = at;
  while (to < text.length && isPart(text.charCodeAt(to))) to += 1;
  scan.step(to - from);
  if (to - from > longest) return to;
  const before = text.charCodeAt(from - 1);
  const after = text.charCodeAt(to);
  if (isAlphanumeric(before) || before === 46 || before === 95 || isAlphanumeric(after) || after === 95) return to;
  let raw = text.slice(from, to).replace(/\.+$/, '');
  if (raw.endsWith(':') && !raw.endsWith('::')) raw = raw.slice(0, -1);
  const end = from + raw.length;
  if (/^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(raw)) {
    reportMac(scan, raw, from, end);
    return to;
  }
  if (raw.length < 3 || !/:.*:/.test(raw) || canonical6(raw) === undefined) return to;
  const bits = /^\/(\d{1,3})(?![\d/.])/.exec(text.slice(end, end + 5));
  if (bits !== null && Number(bits[1]) <= 128) {
    const cidrEnd = end + bits[0].length;
    scan.report({ type: 'cidr', value: `${canonical6(raw)}/${Number(bits[1])}`, from, to: cidrEnd, confidence: 0.5 });
    scan.claim(from, cidrEnd, claim.address);
    return cidrEnd;
  }
  const isHost = text.charAt(from - 1) === '[' && text.charAt(end) === ']';
  if (report6(scan, raw, { from, to: end, isHost })) scan.claim(from, end, claim.address);
  return to;
}

export function reportMac(scan: Scan, raw: string, from: number, to: number): void {
  const digits = raw.replace(/[^0-9a-f]/gi, '').toLowerCase();
  const value = digits.replace(/(..)(?=.)/g, '$1:');
  const first = Number.parseInt(digits.slice(0, 2), 16);
  const noise = /^(.)\1+$/.test(digits) ? 'address of no device' : first % 2 === 1 ? 'multicast address' : undefined;
  scan.report({ type: 'mac', value, from, to, confidence: noise === undefined ? 0.4 : 0.1, noise });
  scan.claim(from, to, claim.address);
}
