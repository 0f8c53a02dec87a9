import { randomInt } from 'node:crypto';
import type { FakeOptions } from '../../../../engine/cell/index.ts';
import { token } from './token.ts';

/** What must be known before there is a cell: tokens, names and the pages of its internet. */

export interface WorldPlan {
  readonly canaries: Readonly<Record<'outside' | 'entry' | 'sibling' | 'loopback' | 'database' | 'large', string>>;
  readonly loopbackPort: number;
  readonly redirectUrl: string;
  readonly rebindingHost: string;
  readonly large: { readonly declared: string; readonly undeclared: string };
  /** For `Cell.open`, beside the caller's own. */
  readonly fake: Pick<FakeOptions, 'scripts' | 'dns'>;
}

/** Below those that a system takes for its own connections. */
const [lowestPort, highestPort] = [18_000, 28_000] as const;
export const pagesHost = 'pages.example';
export const probeDomain = 'probe.example';

/** More than servers that know a limit let through, most of it invisible, so that the answer made of it is small. */
const largeBytes = 6 * 1024 * 1024;
const invisible = `<!--${' padding'.repeat(1023)}-->\n`;

const article = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Notes on bread</title></head><body><main><article><h1>Notes on bread</h1><p>Flour, water, salt and time are enough for a good loaf.</p><p>Let the dough rest over night.</p></article></main></body></html>\n`;

export function planWorld(): WorldPlan {
  const loopbackPort = randomInt(lowestPort, highestPort);
  const name = token().slice(0, 9);
  const hosts = {
    redirect: `go-${name}.${probeDomain}`,
    rebinding: `inner-${name}.${probeDomain}`,
    large: `large-${name}.${probeDomain}`,
  };
  const canaries = {
    outside: token(),
    entry: token(),
    sibling: token(),
    loopback: token(),
    database: token(),
    large: token(),
  };
  const html = { 'content-type': 'text/html; charset=utf-8' };
  const large = {
    host: hosts.large,
    headers: html,
    text: invisible,
    repeat: {
      count: Math.ceil(largeBytes / invisible.length),
      end: `<html><body><article><h1>The end</h1><p>The last line of this page is ${canaries.large} and nothing more.</p></article></body></html>\n`,
    },
  };
  const inner = `http://127.0.0.1:${loopbackPort}/`;
  const loops = (host: string): { name: string; type: 'A' | 'AAAA'; value: string }[] => [
    { name: host, type: 'A', value: '127.0.0.1' },
    { name: host, type: 'AAAA', value: '::1' },
  ];
  const second = `second.${hosts.rebinding}`;
  return {
    canaries,
    loopbackPort,
    redirectUrl: `http://${hosts.redirect}/moved`,
    rebindingHost: hosts.rebinding,
    large: { declared: `http://${hosts.large}/declared`, undeclared: `http://${hosts.large}/undeclared` },
    fake: {
      scripts: [
        { host: pagesHost, path: '/article', headers: html, text: article },
        { host: hosts.redirect, path: '/moved', status: 302, headers: { location: inner }, text: '' },
        { ...large, path: '/declared' },
        { ...large, path: '/undeclared', isChunked: true },
      ],
      dns: [
        ...loops(hosts.rebinding),
        // Whoever looks first and asks again when it connects is led elsewhere the second time.
        { name: second, type: 'A', value: '198.51.100.7', times: 1 },
        { name: second, type: 'AAAA', value: '2001:db8:51::7', times: 1 },
        ...loops(second),
      ],
    },
  };
}
