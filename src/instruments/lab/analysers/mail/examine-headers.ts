import { domainToUnicode } from 'node:url';
import { getDomain } from 'tldts';
import type { Collector } from '../office/collector.ts';
import { domainOf, type MailAddress, type Message } from './message.ts';

/** Who a message says it is from, who it really came from, and what the servers on its way thought of that. */

const mismatchKind = {
  rule: 'mail.sender-mismatch',
  title: 'Answers or bounces of the message go to another domain than its sender',
  severity: 'medium',
  evidenceType: 'structural',
  benign: 'Newsletters, ticket systems and mailing lists are sent by services with domains of their own.',
  attack: ['T1566', 'T1672'],
} as const;

const displayKind = {
  rule: 'mail.display-name',
  title: 'The name of the sender shows another address than the message has',
  severity: 'high',
  evidenceType: 'structural',
  benign: 'Mail that is sent on behalf of somebody may name that person with an address.',
  attack: ['T1566', 'T1656'],
} as const;

const failedKind = {
  rule: 'mail.authentication-failed',
  title: 'A server on the way could not confirm the sender',
  severity: 'medium',
  evidenceType: 'artifact',
  benign: 'Forwarding breaks SPF and lists break DKIM, for honest mail too.',
  attack: ['T1566', 'T1672'],
} as const;

const homographKind = {
  rule: 'mail.homograph',
  title: 'A domain in the addresses mixes alphabets or is spelled with look-alike letters',
  severity: 'high',
  evidenceType: 'structural',
  benign: 'Names in other languages are written in their own letters; mixing Latin with others in one name is rare.',
  attack: ['T1566', 'T1036'],
} as const;

const skewKind = {
  rule: 'mail.date-skew',
  title: 'The date of the message and the times of the servers lie far apart',
  severity: 'low',
  evidenceType: 'structural',
  benign: 'Clocks that are wrong and mail that waited in a queue do this.',
} as const;

const dayMs = 86_400_000;

export function registrable(host: string): string {
  return getDomain(host) ?? host;
}

function bareDomain(address: string): string {
  return registrable(domainOf(address));
}

function examineSender(collector: Collector, message: Message): void {
  const from = message.from;
  if (from === null || !from.address.includes('@')) return;
  const own = bareDomain(from.address);
  const others: readonly (readonly [string, string])[] = [
    ...message.replyTo.slice(0, 20).map(({ address }) => ['Reply-To', address] as const),
    ['Return-Path', message.returnPath],
    ['Sender', message.sender?.address ?? ''],
  ];
  for (const [where, address] of others) {
    if (address.includes('@') && bareDomain(address) !== own)
      collector.finding(mismatchKind, { where, text: `${address} (From: ${from.address})` });
  }
  const shown = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/.exec(from.name.slice(0, 1000))?.[0];
  if (shown !== undefined && bareDomain(shown) !== own)
    collector.finding(displayKind, { where: 'From', text: `${from.name} <${from.address}>` });
}

const scripts: readonly RegExp[] = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
];
/** Letters of other alphabets that look like Latin ones: a name of nothing else is a disguise as well. */
const lookAlikes = /^[асеіјорѕухһӏԁԛԝѵɡοναβρτυχ0-9-]+$/u;

export function isHomograph(domain: string): boolean {
  const shown = domain.startsWith('xn--') || domain.includes('.xn--') ? domainToUnicode(domain) : domain;
  return shown.split('.').some((label) => {
    if (/^[\x00-\x7f]*$/.test(label)) return false;
    return scripts.filter((script) => script.test(label)).length > 1 || lookAlikes.test(label.toLowerCase());
  });
}

function examineDomains(collector: Collector, addresses: readonly MailAddress[]): void {
  for (const { address } of addresses) {
    const domain = domainOf(address.slice(0, 400));
    if (isHomograph(domain))
      collector.finding(homographKind, { where: 'address', text: `${address} (${domainToUnicode(domain)})` });
  }
}

/** `spf=pass` and the like, of every server that wrote one. */
export function authenticationOf(message: Message): Record<string, string> {
  const results: Record<string, string> = {};
  for (const { key, value } of message.headers) {
    if (key === 'received-spf') results.spf ??= (/^\s*(\w{1,20})/.exec(value)?.[1] ?? '').toLowerCase();
    if (!/^(?:arc-)?authentication-results(?:-original)?$/.test(key)) continue;
    for (const match of value.slice(0, 8000).matchAll(/\b(spf|dkim|dmarc|compauth|arc)\s{0,5}=\s{0,5}(\w{1,20})/gi)) {
      results[(match[1] ?? '').toLowerCase()] ??= (match[2] ?? '').toLowerCase();
    }
  }
  return results;
}

interface Hop {
  readonly from: string;
  readonly by: string;
  readonly date: string;
}

/** The first is the server nearest to the reader. */
export function receivedChain(message: Message): Hop[] {
  return message.headers
    .filter(({ key }) => key === 'received')
    .slice(0, 100)
    .map(({ value }) => {
      const line = value.slice(0, 2000);
      const at = Date.parse(
        line
          .slice(line.lastIndexOf(';') + 1)
          .replace(/\([^)]{0,100}\)/g, '')
          .trim(),
      );
      return {
        from: /\bfrom\s+(\S{1,255}(?:\s+\([^)]{1,255}\))?)/i.exec(line)?.[1] ?? '',
        by: /\bby\s+([^\s;]{1,255})/i.exec(line)?.[1] ?? '',
        date: Number.isNaN(at) ? '' : new Date(at).toISOString(),
      };
    });
}

function examineTimes(collector: Collector, message: Message, hops: readonly Hop[]): void {
  const sent = Date.parse(message.date);
  const first = Date.parse(hops.findLast(({ date }) => date !== '')?.date ?? '');
  if (Number.isNaN(sent) || Number.isNaN(first)) return;
  if (Math.abs(sent - first) > dayMs)
    collector.finding(skewKind, { where: 'Date', text: `${message.date} against ${new Date(first).toISOString()}` });
}

export function examineHeaders(collector: Collector, message: Message): void {
  const shown = ({ name, address }: MailAddress): string => (name === '' ? address : `${name} <${address}>`);
  collector.fact('subject', message.subject);
  collector.fact('from', message.from === null ? null : shown(message.from));
  collector.list('to', message.to.map(shown), 40);
  collector.list('cc', message.cc.map(shown), 40);
  collector.list('reply_to', message.replyTo.map(shown), 20);
  if (message.returnPath !== '') collector.fact('return_path', message.returnPath);
  collector.fact('date', message.date);
  collector.fact('message_id', message.messageId);
  const mailer = message.headers.find(({ key }) => key === 'x-mailer' || key === 'user-agent');
  if (mailer !== undefined) collector.fact('mailer', mailer.value);
  const origin = message.headers.find(({ key }) => key === 'x-originating-ip' || key === 'x-sender-ip');
  if (origin !== undefined) collector.fact('originating_ip', origin.value);
  const hops = receivedChain(message);
  collector.list(
    'received',
    hops.map((hop) => ({ ...hop })),
    20,
  );
  const results = authenticationOf(message);
  if (Object.keys(results).length > 0) collector.fact('authentication', results);
  const failed = Object.entries(results).filter(
    ([, result]) => /^(?:fail|softfail|permerror|none)$/.test(result) && result !== 'none',
  );
  if (failed.length > 0)
    collector.finding(failedKind, {
      where: 'Authentication-Results',
      text: failed.map((pair) => pair.join('=')).join(' '),
    });
  examineSender(collector, message);
  examineDomains(collector, [
    ...(message.from === null ? [] : [message.from]),
    ...message.replyTo,
    ...(message.sender === null ? [] : [message.sender]),
  ]);
  examineTimes(collector, message, hops);
  collector.text(
    'headers',
    message.headers
      .map(({ key, value }) => `${key}: ${value}`)
      .join('\n')
      .slice(0, 200_000),
  );
}
