import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Lab, needNetwork, whyNoNetwork } from './lab.ts';

/** The web sites of the fake internet that are more than a friendly answer. */

const lab = new Lab();

const artefact = Buffer.from('a tarball, so to speak');

beforeAll(async () => {
  if ((await whyNoNetwork()) !== null) return;
  await lab.open({
    scripts: [
      { host: 'api.example', path: '/once', times: 1, status: 503, text: 'later' },
      { host: 'api.example', path: '/once', status: 200, text: 'now' },
      { host: 'api.example', path: '/away', status: 302, headers: { location: 'https://other.example/here' } },
    ],
    registries: [
      {
        kind: 'npm',
        hosts: ['packages.example'],
        artefacts: [{ name: '@a/b', version: '1.0.0', fileName: 'b-1.0.0.tgz', base64: artefact.toString('base64') }],
      },
      {
        kind: 'pypi',
        hosts: ['wheels.example'],
        artefacts: [
          {
            name: 'Some_Thing',
            version: '2.0',
            fileName: 'some_thing-2.0-py3-none-any.whl',
            base64: artefact.toString('base64'),
          },
        ],
      },
    ],
    metadata: {
      aws: { role: 'web', accessKeyId: 'AKIAEXAMPLE', secret: 'bait-secret', token: 'bait-token' },
      gcp: { account: 'x@y.example', project: 'p', token: 'bait-gcp' },
      azure: { token: 'bait-azure' },
    },
  });
});
beforeEach((context) => needNetwork(context));
afterAll(() => lab.close());

const curl = (...args: readonly string[]) => lab.inBox(['curl', '-sS', '-m', '15', ...args]);
/** curl asks our DNS by itself only through the system's resolver, so the tests name the address. */
const at = (host: string, port: number, address = '203.0.113.9'): readonly string[] => [
  '--resolve',
  `${host}:${port}:${address}`,
];

describe('scripts', () => {
  it('follows the script of a host', async () => {
    const ask = async (path: string) =>
      (await curl(...at('api.example', 80), '-w', ' %{http_code}', `http://api.example${path}`)).stdout;
    expect(await ask('/once')).toBe('later 503');
    expect(await ask('/once')).toBe('now 200');
    expect(await ask('/away')).toBe(' 302');
    expect(JSON.parse((await ask('/else')).replace(/ 200$/, ''))).toMatchObject({ ok: true });
  });
});

describe('registries', () => {
  it('serve what was handed in, and nothing else', async () => {
    const npm = async (path: string) =>
      curl(...at('packages.example', 443), '-w', ' %{http_code}', `https://packages.example${path}`);
    const { stdout } = await npm('/@a%2fb');
    const document = JSON.parse(stdout.replace(/ 200$/, '')) as {
      versions: Record<string, { dist: { tarball: string } }>;
    };
    const tarball = new URL(document.versions['1.0.0']?.dist.tarball ?? '');
    expect((await npm(tarball.pathname)).stdout).toBe(`${artefact} 200`);
    expect((await npm('/left-pad')).stdout).toContain('404');
    const pypi = async (path: string) =>
      curl(...at('wheels.example', 443), '-w', ' %{http_code}', `https://wheels.example${path}`);
    expect((await pypi('/simple/some-thing/')).stdout).toContain('/files/some_thing-2.0-py3-none-any.whl#sha256=');
    expect((await pypi('/files/some_thing-2.0-py3-none-any.whl')).stdout).toBe(`${artefact} 200`);
    expect((await pypi('/simple/requests/')).stdout).toContain('404');
  });
});

describe('cloud metadata', () => {
  const base = 'http://169.254.169.254';
  it.each([
    { what: 'AWS version 1', argv: [`${base}/latest/meta-data/iam/security-credentials/web`], body: 'bait-secret' },
    { what: 'the AWS role', argv: [`${base}/latest/meta-data/iam/security-credentials/`], body: 'web' },
    { what: 'the AWS token', argv: ['-X', 'PUT', `${base}/latest/api/token`], body: 'A' },
    {
      what: 'Google Cloud',
      argv: ['-H', 'Metadata-Flavor: Google', `${base}/computeMetadata/v1/instance/service-accounts/default/token`],
      body: 'bait-gcp',
    },
    {
      what: 'Google Cloud without its header',
      argv: [`${base}/computeMetadata/v1/project/project-id`],
      body: 'Forbidden',
    },
    {
      what: 'Azure',
      argv: ['-H', 'Metadata: true', `${base}/metadata/identity/oauth2/token?resource=https://x.example`],
      body: 'bait-azure',
    },
    { what: 'an unknown role', argv: [`${base}/latest/meta-data/iam/security-credentials/admin`], body: 'Not Found' },
  ])('answers $what', async ({ argv, body }) => {
    expect((await curl(...argv)).stdout).toContain(body);
  });
});
