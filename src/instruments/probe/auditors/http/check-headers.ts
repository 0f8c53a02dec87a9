import { isIP } from 'node:net';
import { headerOf, headersOf, quoteText, showExchange } from '../client/index.ts';
import { type Check, type Front, isSuccess } from './front.ts';
import type { HttpRule } from './rules.ts';

/** What an answer should say to browsers and caches, each where it has an effect. */

interface HeaderRule {
  readonly rule: HttpRule;
  readonly header: string;
  /** Why it is missed, or null where it is there or makes no difference. */
  readonly miss: (front: Front, values: string) => string | null;
}

const yearHalfSeconds = 15_552_000;

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/** The rule is only kept for names, and only when it came over HTTPS. */
const takesHsts = ({ url }: Front): boolean => url.protocol === 'https:' && isIP(hostOf(url)) === 0;

function directiveOf(policy: string, name: string): string | undefined {
  const parts = policy.toLowerCase().slice(0, 8192).split(/[;,]/);
  return parts.map((part) => part.trim()).find((part) => part === name || part.startsWith(`${name} `));
}

function weakScripts(policy: string): string | null {
  const scripts = directiveOf(policy, 'script-src') ?? directiveOf(policy, 'default-src');
  if (scripts === undefined) return 'it has neither script-src nor default-src';
  const words = scripts.split(/\s+/);
  const isGuarded = words.some((word) => /^'(?:nonce-|sha(?:256|384|512)-|strict-dynamic)/.test(word));
  if (words.includes("'unsafe-inline'") && !isGuarded) return "it allows 'unsafe-inline'";
  return words.includes('*') ? 'it allows scripts from everywhere' : null;
}

const maxAge = (values: string): number => Number(/max-age\s{0,5}=\s{0,5}"?(\d{1,12})/i.exec(values)?.[1] ?? 0);

const headerRules: readonly HeaderRule[] = [
  {
    rule: 'no-hsts',
    header: 'strict-transport-security',
    miss: (front, values) =>
      takesHsts(front) && maxAge(values) === 0 ? 'the header is missing or has no max-age' : null,
  },
  {
    rule: 'short-hsts',
    header: 'strict-transport-security',
    miss: (front, values) => {
      const seconds = maxAge(values);
      return takesHsts(front) && seconds > 0 && seconds < yearHalfSeconds ? `max-age is ${seconds} seconds` : null;
    },
  },
  {
    rule: 'no-csp',
    header: 'content-security-policy',
    miss: ({ kind }, values) => (kind === 'page' && values === '' ? 'the header is missing' : null),
  },
  {
    rule: 'weak-csp',
    header: 'content-security-policy',
    miss: ({ kind }, values) => (kind === 'page' && values !== '' ? weakScripts(values) : null),
  },
  {
    rule: 'no-nosniff',
    header: 'x-content-type-options',
    miss: ({ kind }, values) => (kind !== 'other' && !/nosniff/i.test(values) ? 'the header is missing' : null),
  },
  {
    rule: 'no-frame-protection',
    header: 'x-frame-options',
    miss: ({ kind, answer }, values) => {
      const policy = headersOf(answer, 'content-security-policy').join(', ');
      const isFramed = !/deny|sameorigin/i.test(values) && directiveOf(policy, 'frame-ancestors') === undefined;
      return kind === 'page' && isFramed ? 'neither X-Frame-Options nor frame-ancestors is set' : null;
    },
  },
  {
    rule: 'no-referrer-policy',
    header: 'referrer-policy',
    miss: ({ kind }, values) => (kind === 'page' && values === '' ? 'the header is missing' : null),
  },
  {
    rule: 'no-permissions-policy',
    header: 'permissions-policy',
    miss: ({ kind }, values) => (kind === 'page' && values === '' ? 'the header is missing' : null),
  },
  {
    rule: 'api-cacheable',
    header: 'cache-control',
    miss: ({ kind }, values) =>
      kind === 'data' && !/no-store|no-cache|private/i.test(values) ? 'neither no-store nor private is set' : null,
  },
];

/** Redirects and errors are not judged: what they lack says nothing about the pages. */
export const checkHeaders: Check = (inquiry, front) => {
  if (!isSuccess(front.answer)) {
    inquiry.note(`the answer is ${front.answer.status}: its headers for browsers and caches were not judged`);
    return;
  }
  for (const { rule, header, miss } of headerRules) {
    const because = miss(front, headersOf(front.answer, header).join(', '));
    if (because === null) continue;
    inquiry.claim({
      rule,
      at: front.request.url,
      detail: `${header}: ${because}.`,
      evidence: showExchange(front.request, front.answer, { headers: ['content-type', header] }),
      repro: front.request,
      // What somebody had to log in for is worse in a cache than what everybody gets.
      ...(rule === 'api-cacheable' && inquiry.hasCredential ? { severity: 'low' as const } : {}),
    });
  }
};

const tellingHeaders = ['server', 'x-powered-by', 'x-aspnet-version', 'x-aspnetmvc-version', 'x-generator', 'via'];

const versionPattern = /[a-z][\w-]{0,60}[/ (]v?\d{1,5}\.\d|^\d{1,5}\.\d{1,5}\.\d/i;

/** The protocol of a hop in Via is no version of a product. */
const withoutProtocol = (value: string): string => value.slice(0, 300).replaceAll(/\bHTTP\/\d\.\d/gi, '');

export const checkVersions: Check = (inquiry, front) => {
  for (const header of tellingHeaders) {
    const value = headerOf(front.answer, header);
    if (value === undefined || !versionPattern.test(withoutProtocol(value))) continue;
    inquiry.claim({
      rule: 'version-disclosure',
      at: front.request.url,
      title: `The header ${header} tells a version`,
      detail: `${header}: ${quoteText(value)}`,
      evidence: showExchange(front.request, front.answer, { headers: [header] }),
      repro: front.request,
    });
  }
};

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

/** What stays on one machine needs no encryption. */
export const checkHttps: Check = (inquiry, { url, request, answer }) => {
  if (url.protocol !== 'http:' || isLoopback(hostOf(url)) || isLoopback(inquiry.input.addresses[0] ?? '')) return;
  if (answer.status >= 300 && /^https:\/\//i.test(headerOf(answer, 'location') ?? '')) return;
  if (answer.status >= 400) return;
  inquiry.claim({
    rule: 'no-https',
    at: request.url,
    detail: `The answer over plain HTTP is ${answer.status} and leads to no HTTPS.`,
    evidence: showExchange(request, answer, { headers: ['location'] }),
    repro: request,
  });
};
