import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HostError, TargetError } from '../../../base/errors.ts';
import { parseNpmSpec } from '../target/npm-spec.ts';
import type { FetchContext } from './contract.ts';
import { createNpmVersions, resolveNpm } from './dependencies/npm-resolver.ts';
import { fetchNpm } from './npm.ts';

/** A registry of our own on the loopback device, reached through an .npmrc as any other. */

let folder = '';
let server: Server;
let base = '';
let seen: string[] = [];
let count = 0;

const tarball = Buffer.from('the bytes of a tarball; fetching does not look inside');
const sha512 = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
const sha1 = createHash('sha1').update(tarball).digest('hex');

function packument(name: string, versions: Record<string, object>, latest: string): object {
  const full = Object.entries(versions).map(([version, more]) => [
    version,
    {
      name,
      version,
      dist: { tarball: `${base}/files/${name}-${version}.tgz`, integrity: sha512, shasum: sha1 },
      ...more,
    },
  ]);
  return {
    name,
    'dist-tags': { latest, next: '2.0.0-rc.1' },
    versions: Object.fromEntries(full),
    time: { created: '2020-01-01', '1.1.0': '2021-01-01' },
  };
}

function documents(): Record<string, object> {
  return {
    good: packument(
      'good',
      {
        '1.0.0': {},
        '1.1.0': {
          scripts: { postinstall: 'x' },
          license: 'MIT',
          dependencies: { leaf: '^1.0.0', none: '1', local: 'file:../x' },
        },
        '2.0.0-rc.1': {},
      },
      '1.1.0',
    ),
    leaf: packument(
      'leaf',
      { '1.0.0': {}, '1.5.0': { deprecated: 'old', dependencies: { good: '*' } }, '1.4.0': {}, '2.0.0': {} },
      '2.0.0',
    ),
    '@own/scoped': packument('@own/scoped', { '3.0.0': {} }, '3.0.0'),
    'wrong-hash': packument(
      'wrong-hash',
      {
        '1.0.0': {
          dist: { tarball: `${base}/files/x.tgz`, integrity: `sha512-${Buffer.alloc(64).toString('base64')}` },
        },
      },
      '1.0.0',
    ),
    'no-hash': packument('no-hash', { '1.0.0': { dist: { tarball: `${base}/files/x.tgz` } } }, '1.0.0'),
    odd: { name: 'odd', 'dist-tags': { latest: 7 }, versions: { '1.0.0': 'text', x: null } },
    elsewhere: packument(
      'elsewhere',
      { '1.0.0': { dist: { tarball: 'file:///etc/passwd', integrity: sha512 } } },
      '1.0.0',
    ),
  };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hotcell-npm-'));
  server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').replace(/^\/(private\/)?/, '');
    seen.push(`${request.url} ${request.headers.authorization ?? ''}`.trim());
    if (path.startsWith('files/')) return void response.end(tarball);
    if (request.url?.startsWith('/private/') && request.headers.authorization !== 'Bearer t0ken')
      return void response.writeHead(401).end('{}');
    const document = documents()[path];
    if (document === undefined) return void response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  mkdirSync(join(folder, 'project'));
  writeFileSync(
    join(folder, '.npmrc'),
    `registry=${base}/\n${base.replace('http:', '')}/private/:_authToken=\${SECRET_TOKEN}\n`,
  );
  writeFileSync(join(folder, 'project/.npmrc'), `@own:registry=${base}/private/\n`);
  writeFileSync(join(folder, 'project/package.json'), '{}');
});

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

function context(more: Partial<FetchContext> = {}): FetchContext {
  const environment = { PATH: '/nowhere', SECRET_TOKEN: 't0ken' };
  return {
    cwd: join(folder, 'project'),
    home: folder,
    environment,
    cacheFolder: join(folder, 'cache'),
    isOffline: false,
    ...more,
  };
}

function fetchSpec(spec: string, more: Partial<FetchContext> = {}) {
  count += 1;
  return fetchNpm(parseNpmSpec(spec), context(more), join(folder, `into-${count}`));
}

describe('a package of npm', () => {
  it.each([
    ['good', '1.1.0'],
    ['good@1.0.0', '1.0.0'],
    ['good@^1.0.0', '1.1.0'],
    ['good@next', '2.0.0-rc.1'],
  ])('%s is %s', async (spec, version) => {
    const fetched = await fetchSpec(spec);
    expect(fetched).toMatchObject({ name: 'good', version, integrity: sha512, isVerified: true });
    expect(readFileSync(fetched.archive)).toEqual(tarball);
  });

  it('comes with what the registry says about it', async () => {
    const { registry } = await fetchSpec('good');
    expect(registry).toEqual({
      versions: 3,
      publishedAt: '2021-01-01',
      firstPublishedAt: '2020-01-01',
      previousVersion: '1.0.0',
      hasSignature: false,
      hasProvenance: false,
      isDeprecated: false,
      isYanked: false,
    });
  });

  it('is asked for at the registry of its scope, with the credentials for it and nowhere else', async () => {
    seen = [];
    await expect(fetchSpec('@own/scoped')).resolves.toMatchObject({ version: '3.0.0' });
    expect(seen.find((line) => line.startsWith('/private/'))).toContain('Bearer t0ken');
    seen = [];
    await fetchSpec('good@1.0.0', { cacheFolder: join(folder, 'other-cache') });
    expect(seen.join()).not.toContain('t0ken');
  });

  it('is not asked for where the target under study says', async () => {
    mkdirSync(join(folder, 'project/deep'), { recursive: true });
    for (const cwd of [join(folder, 'project'), join(folder, 'project/deep')]) {
      seen = [];
      const cacheFolder = join(folder, `cache-${cwd.length}`);
      await fetchSpec('@own/scoped', { cwd, targetFolder: join(folder, 'project'), cacheFolder });
      expect(seen.filter((line) => line.startsWith('/private/'))).toEqual([]);
    }
    seen = [];
    await fetchSpec('@own/scoped', { targetFolder: join(folder, 'proj'), cacheFolder: join(folder, 'cache-other') });
    expect(seen.join()).toContain('/private/');
  });

  it('without a hash is fetched, and that is told', async () => {
    await expect(fetchSpec('no-hash')).resolves.toMatchObject({ isVerified: false, integrity: sha512 });
  });

  it.each<[string, typeof TargetError | typeof HostError, RegExp]>([
    ['nobody', TargetError, /no such package/],
    ['good@9.9.9', TargetError, /no version fits/],
    ['good@no-such-tag', TargetError, /no version fits/],
    ['wrong-hash', TargetError, /not the one that the registry describes|hash that the registry tells/],
    ['elsewhere', TargetError, /names no file/],
  ])('%s is refused', async (spec, kind, message) => {
    const failing = fetchSpec(spec);
    await expect(failing).rejects.toThrow(kind);
    await expect(failing).rejects.toThrow(message);
    expect(existsSync(join(folder, `into-${count}/package.tgz`))).toBe(false);
  });

  it('with a broken document is no crash', async () => {
    await expect(fetchSpec('odd')).rejects.toThrow(/npm package odd/);
  });

  it('that is too large is cut off', async () => {
    await expect(fetchSpec('good@1.0.0', { limits: { maxArchiveBytes: 10 } })).rejects.toThrow(TargetError);
  });

  it('comes from the cache when there is no network', async () => {
    await fetchSpec('good@1.1.0');
    await expect(fetchSpec('good@1.1.0', { isOffline: true })).resolves.toMatchObject({ version: '1.1.0' });
    const failing = fetchSpec('@own/scoped', { isOffline: true, cacheFolder: join(folder, 'empty-cache') });
    await expect(failing).rejects.toThrow(HostError);
    await expect(failing).rejects.toMatchObject({ hint: 'run once without --offline' });
  });

  it('says that the registry is away', async () => {
    writeFileSync(join(folder, 'away.npmrc'), 'registry=http://127.0.0.1:9/\n');
    const environment = { PATH: '/nowhere', npm_config_userconfig: join(folder, 'away.npmrc') };
    await expect(fetchSpec('good', { environment, cacheFolder: join(folder, 'away-cache') })).rejects.toThrow(
      HostError,
    );
  });
});

describe('what an install would bring', () => {
  it('is found in the registry alone', async () => {
    const manifest = {
      dependencies: { good: '^1.0.0', alias: 'npm:leaf@^1.0.0' },
      optionalDependencies: { leaf: '2' },
    };
    const graph = await resolveNpm(manifest, await createNpmVersions(context()));
    expect(graph.direct).toEqual([
      { name: 'good', range: '^1.0.0', kind: 'normal', version: '1.1.0' },
      { name: 'leaf', range: 'npm:leaf@^1.0.0', kind: 'normal', version: '1.4.0' },
      { name: 'leaf', range: '2', kind: 'optional', version: '2.0.0' },
    ]);
    expect(graph.packages.map(({ name, version }) => `${name}@${version}`)).toEqual([
      'good@1.1.0',
      'leaf@1.4.0',
      'leaf@2.0.0',
    ]);
    expect(graph.packages[0]).toMatchObject({ hasInstallScript: true, licence: 'MIT', integrity: sha512 });
    expect(graph.unresolved).toEqual([
      { name: 'none', range: '1', kind: 'normal', why: 'the registry does not have it' },
      { name: 'local', range: 'file:../x', kind: 'normal', why: 'not from a registry' },
    ]);
    expect(graph.isComplete).toBe(true);
  });

  it('has an end: circles and limits', async () => {
    const versions = await createNpmVersions(context());
    const graph = await resolveNpm({ dependencies: { leaf: '1.5.0' } }, versions);
    expect(graph.packages.map(({ name }) => name)).toEqual(['leaf', 'good']);
    const small = await resolveNpm({ dependencies: { good: '1', leaf: '2' } }, versions, {
      maxPackages: 1,
      timeoutMs: 60_000,
      concurrency: 2,
    });
    expect(small.isComplete).toBe(false);
  });
});
