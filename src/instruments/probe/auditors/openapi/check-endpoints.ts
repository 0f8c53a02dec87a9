import type { Severity } from '../../../../base/finding-schema.ts';
import { showExchange } from '../client/index.ts';
import type { Api } from './api.ts';
import { isDocumented } from './documented.ts';

/** Usual neighbours of an API that its document does not have. */

const neighbours: readonly { readonly paths: readonly string[]; readonly severity: Severity }[] = [
  {
    severity: 'high',
    paths: [
      '/admin',
      '/debug',
      '/internal',
      '/internal/debug',
      '/internal/metrics',
      '/actuator/env',
      '/actuator/heapdump',
      '/config',
      '/backup',
      '/dump',
      '/console',
      '/.env',
      '/env',
      '/phpinfo',
      '/debug/pprof',
      '/server-status',
      '/.git/config',
      '/backup.zip',
      '/db.sqlite',
    ],
  },
  {
    severity: 'medium',
    paths: [
      '/users',
      '/accounts',
      '/actuator',
      '/metrics',
      '/logs',
      '/trace',
      '/test',
      '/dev',
      '/private',
      '/system',
      '/settings',
      '/export',
      '/upload',
      '/graphql',
      '/mcp',
      '/jobs',
      '/keys',
      '/tokens',
    ],
  },
  { severity: 'info', paths: ['/health', '/healthz', '/status', '/version', '/info', '/ping', '/ready'] },
];

/** Other versions of the same base: what is old is often less protected. */
export function otherVersions(base: string): readonly string[] {
  const match = /^(.*\/v)(\d{1,3})(\/.*)?$/.exec(new URL(base).pathname);
  if (match === null) return [];
  const [, before = '', number = '', after = ''] = match;
  const own = Number(number);
  const others = [own - 1, own + 1, own + 2].filter((each) => each >= 0);
  return others.map((each) => `${new URL(base).origin}${before}${each}${after}`);
}

async function tryOne(api: Api, url: string, what: string, severity: Severity): Promise<void> {
  if (!api.inquiry.covers(url)) return;
  const request = { url, isAuthenticated: false };
  const answer = await api.inquiry.ask(request);
  if (answer === null || !api.baseline.isFound(answer)) return;
  api.inquiry.claim({
    rule: 'undocumented-endpoint',
    at: url,
    title: `An endpoint that the document does not have is answered: ${what}`,
    detail: `${what} is answered with ${answer.status} without a credential, and otherwise than a path that does not exist (${api.baseline.statuses.join(', ')}).`,
    evidence: showExchange(request, answer, { headers: ['content-type'] }),
    repro: request,
    severity,
  });
}

export async function checkEndpoints(api: Api): Promise<void> {
  const paths = [...new Set(api.description.operations.map(({ path }) => path))];
  for (const { paths: list, severity } of neighbours) {
    for (const path of list) {
      if (!isDocumented(paths, path)) await tryOne(api, `${api.base}${path}`, path, severity);
    }
  }
  const plain = api.description.operations.find(({ path, method }) => method === 'GET' && !path.includes('{'));
  if (plain === undefined) return;
  for (const base of otherVersions(api.base)) {
    await tryOne(api, `${base}${plain.path}`, new URL(`${base}${plain.path}`).pathname, 'medium');
  }
}
