import { isNameCharacter } from './characters.ts';
import { limits } from './limits.ts';
import { hostOf, reportHost } from './report-host.ts';
import { claim, type Scan } from './scan.ts';
import { lookUpHost } from './tables/known-hosts.ts';

const local = /[A-Za-z0-9._%+=~!#$&*/-]/;

/** Mailboxes of everybody: the host says nothing, the address does. */
const freeMail =
  /^(?:gmail|googlemail|outlook|hotmail|live|yahoo|icloud|proton|protonmail|gmx|mail|aol|yandex|tutanota|qq|163)\./;

/** Called at `@`. */
export function readEmail(scan: Scan, at: number): number | undefined {
  const { text } = scan;
  if (scan.claimAt(at) === claim.authority || scan.claimAt(at) === claim.path) return undefined;
  let to = at + 1;
  const most = Math.min(text.length, at + 2 + limits.hostLength);
  let hasDot = false;
  for (; to < most; to += 1) {
    const code = text.charCodeAt(to);
    if (!isNameCharacter(code)) break;
    hasDot ||= code === 46;
  }
  scan.step(to - at);
  if (!hasDot) return undefined;
  let from = at;
  while (from > 0 && at - from <= 64 && local.test(text.charAt(from - 1))) from -= 1;
  scan.step(at - from);
  if (at - from > 64 || to - at - 1 > limits.hostLength) {
    scan.overlong += 1;
    return undefined;
  }
  // Of `?mail=a@b.pl` and `to:/a@b.pl` the part before the last separator is not the mailbox.
  const name = text.slice(from, at);
  from += name.length - (/[^=/&!#$*%]*$/.exec(name)?.[0].length ?? 0);
  while (from < at && text.charAt(from) === '.') from += 1;
  while (to > at && /[._-]/.test(text.charAt(to - 1))) to -= 1;
  const mailbox = text.slice(from, at);
  const reading = hostOf(scan, text.slice(at + 1, to));
  if (mailbox === '' || mailbox.endsWith('.') || mailbox.includes('..') || reading === undefined) return undefined;
  const isLocal = reading.kind === 'local' && !scan.includePrivateAddresses;
  const known = freeMail.test(reading.host) ? undefined : lookUpHost(reading.host).reason;
  const noise = isLocal ? 'name of a local network' : known;
  const confidence = noise === undefined ? (reading.kind === 'reserved' ? 0.3 : 0.5) : 0.1;
  scan.report({ type: 'email', value: `${mailbox.toLowerCase()}@${reading.host}`, from, to, confidence, noise });
  if (!freeMail.test(reading.host)) reportHost(scan, text.slice(at + 1, to), { from: at + 1, to, isHost: true });
  scan.claim(from, to, claim.address);
  return to;
}
