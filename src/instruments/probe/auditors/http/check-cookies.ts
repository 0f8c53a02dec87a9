import { headersOf, quoteText } from '../client/index.ts';
import type { Check } from './front.ts';
import { type HttpRule, httpRules } from './rules.ts';

/** Attributes of cookies, by name. The value of a cookie is never shown. */

const sessionName = /sess|sid$|^sid|auth|token|jwt|login|remember/i;
/** These are made for scripts to read. */
const scriptName = /csrf|xsrf/i;

const mostCookies = 30;

interface Cookie {
  readonly name: string;
  readonly attributes: readonly string[];
}

function readCookie(value: string): Cookie {
  const [pair = '', ...rest] = value.slice(0, 4096).split(';');
  return {
    name: quoteText(pair.split('=', 1)[0]?.trim() ?? '', 64),
    attributes: rest.map((part) => part.trim().toLowerCase()),
  };
}

interface CookieRule {
  readonly rule: HttpRule;
  readonly lacks: (cookie: Cookie, isSecure: boolean) => boolean;
}

const cookieRules: readonly CookieRule[] = [
  { rule: 'cookie-not-secure', lacks: ({ attributes }, isSecure) => isSecure && !attributes.includes('secure') },
  {
    rule: 'cookie-not-http-only',
    lacks: ({ name, attributes }) =>
      sessionName.test(name) && !scriptName.test(name) && !attributes.includes('httponly'),
  },
  {
    rule: 'cookie-no-same-site',
    lacks: ({ name, attributes }) => sessionName.test(name) && !attributes.some((each) => each.startsWith('samesite=')),
  },
];

export const checkCookies: Check = (inquiry, { url, request, answer }) => {
  for (const cookie of headersOf(answer, 'set-cookie').slice(0, mostCookies).map(readCookie)) {
    for (const { rule, lacks } of cookieRules) {
      if (!lacks(cookie, url.protocol === 'https:')) continue;
      inquiry.claim({
        rule,
        at: request.url,
        title: `${httpRules[rule].title}: ${cookie.name}`,
        detail: `The cookie ${cookie.name} has: ${cookie.attributes.map((each) => quoteText(each, 60)).join('; ') || 'nothing'}.`,
        evidence: `< set-cookie: ${cookie.name}=…; ${cookie.attributes.map((each) => quoteText(each, 60)).join('; ')}`,
        repro: request,
      });
    }
  }
};
