import { describe, expect, it } from 'vitest';
import { CertificateMaker, createAuthority } from '../../certificates/authority.ts';
import { defaultCaps, type RouterConfig } from '../../config.ts';
import { Resolver } from '../../dns/resolve.ts';
import { FakeNames } from '../../fake-names.ts';
import type { Conversation, World } from '../../listener.ts';
import type { HttpRequest } from '../site.ts';
import { sites } from './index.ts';

const artefact = (name: string, version: string, fileName: string) => ({
  name,
  version,
  fileName,
  base64: Buffer.from(`${name} ${version}`).toString('base64'),
});

const config: RouterConfig = {
  seed: 'seed',
  authority: createAuthority(),
  dns: [],
  scripts: [
    { host: '*', path: '/scripted', method: 'put', status: 201, base64: Buffer.from([0, 255]).toString('base64') },
    { host: '*', path: '/large', text: 'ab', repeat: { count: 3, end: '.' }, isChunked: true },
  ],
  registries: [
    {
      kind: 'npm',
      hosts: ['n.example'],
      artefacts: [artefact('@a/b', '1.0.0', 'b-1.0.0.tgz'), artefact('c', '2.0.0', 'c-2.0.0.tgz')],
    },
    { kind: 'pypi', hosts: ['p.example'], artefacts: [artefact('Some.Thing', '1', 'some_thing-1.tar.gz')] },
  ],
  metadata: {},
  caps: defaultCaps,
};
const names = new FakeNames('seed');
const world: World = {
  config,
  names,
  resolver: new Resolver(names, []),
  certificates: new CertificateMaker(config.authority),
  scriptsGiven: new Map(),
  logKeys: () => undefined,
};

async function ask(change: Partial<HttpRequest>, address = '203.0.113.1') {
  const request: HttpRequest = {
    ...{
      method: 'GET',
      host: 'x.example',
      path: '/',
      version: '1.1',
      headers: [],
      body: Buffer.alloc(0),
      isSecure: true,
    },
    ...change,
  };
  const conversation = { world, asked: { address, port: 443, name: null }, record: async () => undefined };
  for (const site of sites) {
    const answer = await site.answer(request, conversation as unknown as Conversation);
    if (answer !== null) return { site: site.id, status: answer.status, text: answer.body.toString() };
  }
  throw new Error('nobody answered');
}

describe('sites', () => {
  it.each([
    [{ host: 'n.example', path: '/@a%2fb' }, 'npm', 200, '"latest":"1.0.0"'],
    [{ host: 'n.example', path: '/@a/b' }, 'npm', 200, 'https://n.example/@a/b/-/b-1.0.0.tgz'],
    [{ host: 'n.example', path: '/@a/b', isSecure: false }, 'npm', 200, 'http://n.example/@a/b/-/b-1.0.0.tgz'],
    [{ host: 'n.example', path: '/@a%2Fb/1.0.0' }, 'npm', 200, '"integrity":"sha512-'],
    [{ host: 'n.example', path: '/@a/b/-/b-1.0.0.tgz' }, 'npm', 200, '@a/b 1.0.0'],
    [{ host: 'n.example', path: '/c/-/c-2.0.0.tgz' }, 'npm', 200, 'c 2.0.0'],
    [{ host: 'n.example', path: '/c/-/b-1.0.0.tgz' }, 'npm', 404, 'Not found'],
    [{ host: 'n.example', path: '/c/9.9.9' }, 'npm', 404, 'Not found'],
    [{ host: 'n.example', path: '/' }, 'npm', 404, 'Not found'],
    [{ host: 'n.example', path: '/%ff/%' }, 'npm', 404, 'Not found'],
    [{ host: 'n.example', path: '/../../etc/passwd' }, 'npm', 404, 'Not found'],
    [{ host: 'n.example', path: '/c', method: 'PUT' }, 'npm', 403, 'Forbidden'],
    [{ host: 'p.example', path: '/simple/some-thing/' }, 'pypi', 200, '<a href="/files/some_thing-1.tar.gz#sha256='],
    [{ host: 'p.example', path: '/simple/SOME_thing' }, 'pypi', 200, 'some_thing-1.tar.gz'],
    [{ host: 'p.example', path: '/files/some_thing-1.tar.gz' }, 'pypi', 200, 'Some.Thing 1'],
    [{ host: 'p.example', path: '/files/other.tar.gz' }, 'pypi', 404, 'Not Found'],
    [{ host: 'p.example', path: '/simple/' }, 'pypi', 404, 'Not Found'],
    [{ host: 'p.example', path: '/legacy/', method: 'POST' }, 'pypi', 403, 'Forbidden'],
    [{ path: '/x' }, 'plain', 200, '"ok":true'],
    [{ path: '/x', method: 'DELETE' }, 'plain', 200, '"ok":true'],
    [{ path: '/x', headers: [['Accept', 'text/html,*/*']] }, 'plain', 200, '<h1>x.example</h1>'],
    [{ host: '<script>', headers: [['accept', 'text/html']] }, 'plain', 200, '<h1>script</h1>'],
    [{ path: '/run.sh' }, 'plain', 404, 'Not Found'],
    [{ path: '/a.js?x' }, 'plain', 200, 'empty'],
    [{ path: '/a', method: 'OPTIONS' }, 'plain', 204, ''],
    [{ path: '/scripted/1', method: 'PUT' }, 'scripted', 201, '\0'],
    [{ path: '/scripted/1' }, 'plain', 200, '"ok":true'],
    [{ path: '/dns-query?dns=AAAA' }, 'dns-over-https', 200, ''],
    [{ path: '/dns-query' }, 'plain', 200, '"ok":true'],
    [{ path: '/v1/x', headers: [['Authorization', 'Bearer x']] }, 'plain', 401, 'unauthorized'],
    [{ path: '/v1/x', headers: [['X-Some-Token', 'x']], method: 'POST' }, 'plain', 401, 'unauthorized'],
    [{ path: '/v1/x', headers: [['x-api-key', 'x']] }, 'plain', 401, 'unauthorized'],
    [{ path: '/v1/x', headers: [['x-api-key', '']] }, 'plain', 200, '"ok":true'],
    [
      {
        path: '/v1/x',
        headers: [
          ['accept', 'token'],
          ['x-request-id', '1'],
        ],
      },
      'plain',
      200,
      '"ok":true',
    ],
    [{ path: '/large' }, 'scripted', 200, 'ababab.'],
  ] as const)('%j: %s %i', async (change, site, status, text) => {
    const answer = await ask(change as Partial<HttpRequest>);
    expect({ site: answer.site, status: answer.status }).toEqual({ site, status });
    expect(answer.text).toContain(text);
  });

  it('know no credentials where none were handed in', async () => {
    for (const path of ['/latest/meta-data/iam/security-credentials/', '/latest/api/token', '/metadata/instance']) {
      const answer = await ask({ path, headers: [['Metadata', 'true']] }, '169.254.169.254');
      expect(answer).toMatchObject({ site: 'cloud-metadata', status: 404 });
    }
  });

  it('list files as JSON for those who ask for it', async () => {
    const accept = 'application/vnd.pypi.simple.v1+json';
    const { text } = await ask({ host: 'p.example', path: '/simple/some-thing/', headers: [['Accept', accept]] });
    expect(JSON.parse(text)).toMatchObject({ name: 'some-thing', files: [{ filename: 'some_thing-1.tar.gz' }] });
  });
});
