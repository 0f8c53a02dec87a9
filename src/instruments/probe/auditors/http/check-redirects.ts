import { headerOf, showExchange } from '../client/index.ts';
import type { AuditRequest } from '../contract.ts';
import { bareUrl, type Check } from './front.ts';

/**
 * Open redirects. Every usual parameter is given a host of its own below a name that can never exist, all in one request:
 * the host in Location then says which of them it was. Nobody follows.
 */

const parameters = [
  'url',
  'next',
  'redirect',
  'redirect_url',
  'redirect_uri',
  'redirect_to',
  'return',
  'return_url',
  'returnurl',
  'return_to',
  'continue',
  'dest',
  'destination',
  'target',
  'to',
  'goto',
  'go',
  'out',
  'link',
  'callback',
  'forward',
  'rurl',
  'u',
] as const;

const usualPaths = ['/redirect', '/redir', '/go', '/goto', '/out', '/login', '/logout', '/link', '/r'];
const zone = 'example.invalid';

/** Those who look for `https://` forget what browsers take for the same. */
const spellings: readonly ((host: string) => string)[] = [
  (host) => `https://${host}/`,
  (host) => `//${host}/`,
  (host) => `/\\${host}/`,
];

const hostFor = (parameter: string): string => `${parameter.replaceAll('_', '-')}.${zone}`;

/** Colons and slashes as they are: whoever decodes reads the same, and whoever does not is found too. */
const pairFor = (parameter: string, spell: (host: string) => string): string =>
  `${parameter}=${spell(hostFor(parameter)).replaceAll('\\', '%5C')}`;

/** As a browser reads it. */
function redirectedTo(location: string, base: string): string | null {
  const text = location.slice(0, 4096);
  return URL.canParse(text, base) ? new URL(text, base).hostname : null;
}

export const checkRedirects: Check = async (inquiry, { url }) => {
  const places = [bareUrl(url), ...usualPaths.map((path) => `${url.origin}${path}`)];
  for (const place of new Set(places)) {
    for (const spell of spellings) {
      const asked = `${place}?${parameters.map((name) => pairFor(name, spell)).join('&')}`;
      if (!inquiry.covers(asked)) break;
      const answer = await inquiry.ask({ url: asked });
      // Where there is nothing, or nothing that redirects, other spellings are no better.
      if (answer === null || answer.status === 404 || answer.status === 405) break;
      const host = redirectedTo(headerOf(answer, 'location') ?? '', place);
      const parameter = parameters.find((name) => hostFor(name) === host);
      if (parameter === undefined || answer.status < 300 || answer.status >= 400) continue;
      const request: AuditRequest = {
        url: `${place}?${pairFor(parameter, spell)}`,
      };
      inquiry.claim({
        rule: 'open-redirect',
        at: place,
        title: `Redirects to any site that the parameter ${parameter} names`,
        detail: `Location leads to ${hostFor(parameter)}, which stood in the parameter ${parameter}.`,
        evidence: showExchange(request, answer, { headers: ['location'] }),
        repro: request,
      });
      break;
    }
  }
};
