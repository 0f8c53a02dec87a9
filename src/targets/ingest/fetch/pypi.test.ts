import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HostError, TargetError } from '../../../base/errors.ts';
import { parsePypiSpec } from '../target/pypi-spec.ts';
import type { FetchContext } from './contract.ts';
import { resolveDependencies } from './dependencies/resolve.ts';
import { fetchPypi } from './pypi.ts';

/** A package index of our own on the loopback device, in both forms, reached through a pip.conf. */

let folder = '';
let server: Server;
let base = '';
let seen: string[] = [];
let count = 0;

const contentOf = (name: string): Buffer => Buffer.from(`content of ${name}`);
const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const metadata = (name: string): Buffer =>
  Buffer.from(
    `Metadata-Version: 2.1\nName: ${name}\nLicense: MIT\n${name === 'good' ? 'Requires-Dist: html-only>=1\nRequires-Dist: gone\nRequires-Dist: other; extra == "x"\nRequires-Dist: winonly; sys_platform == "win32"\n' : ''}\n`,
  );

function file(filename: string, more: object = {}): object {
  return { filename, url: `../../files/${filename}`, hashes: { sha256: hashOf(contentOf(filename)) }, ...more };
}

function jsonPage(): object {
  const described = { 'core-metadata': { sha256: hashOf(metadata('good')) } };
  return {
    files: [
      file('good-1.0.0-py3-none-any.whl', { 'upload-time': '2020-01-01T00:00:00Z' }),
      file('good-1.2.0.tar.gz', { 'upload-time': '2021-01-01T00:00:00Z' }),
      file('good-1.2.0-py3-none-any.whl', { 'upload-time': '2021-01-01T00:00:00Z', ...described }),
      file('good-1.2.0-cp312-cp312-win_amd64.whl'),
      file('good-1.9.0-py3-none-any.whl', { yanked: 'broken' }),
      file('good-2.0.0rc1-py3-none-any.whl'),
      file('good-3.0.0-py3-none-any.whl', { 'requires-python': '>=99' }),
      file('good-extra-9.0.0.tar.gz'),
      { filename: 7 },
      null,
    ],
  };
}

function htmlPage(): string {
  const name = 'html_only-1.1-py3-none-any.whl';
  const wrong = 'html_only-0.9-py3-none-any.whl';
  return `<!DOCTYPE html><html><body><h1>Links</h1>
    <a href="/files/${name}#sha256=${hashOf(contentOf(name))}" data-requires-python="&gt;=3.6">${name}</a><br/>
    <a href="/files/${wrong}#sha256=${'0'.repeat(64)}">${wrong}</a>
    <a href='/files/html_only-0.8.tar.gz'>html_only-0.8.tar.gz</a></body></html>`;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hotcell-pypi-'));
  server = createServer((request, response) => {
    const url = request.url ?? '';
    seen.push(`${url} ${request.headers.authorization ?? ''}`.trim());
    if (url === '/simple/good/')
      return void response
        .setHeader('content-type', 'application/vnd.pypi.simple.v1+json')
        .end(JSON.stringify(jsonPage()));
    if (url === '/simple/html-only/') return void response.setHeader('content-type', 'text/html').end(htmlPage());
    if (url === '/simple/sent-on/')
      return void response.setHeader('content-type', 'text/html').end('<a href="/go/sent_on-1.0.zip">x</a>');
    if (url.startsWith('/go/')) return void response.writeHead(307, { location: url.replace('/go/', '/files/') }).end();
    if (url === '/simple/circle/') return void response.writeHead(302, { location: '/simple/circle/' }).end();
    if (url === '/simple/locked/') return void response.writeHead(403).end();
    if (url.endsWith('.metadata')) return void response.end(metadata('good'));
    if (url.startsWith('/files/')) return void response.end(contentOf(url.slice('/files/'.length)));
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  mkdirSync(join(folder, '.config/pip'), { recursive: true });
  mkdirSync(join(folder, 'wheels'));
  writeFileSync(join(folder, 'wheels/local_one-1.0-py3-none-any.whl'), 'local');
  writeFileSync(
    join(folder, '.config/pip/pip.conf'),
    `[global]\nindex-url = ${base.replace('//', '//user:s3cret@')}/simple/\nfind-links =\n    ${join(folder, 'wheels')}\n`,
  );
});

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

function context(more: Partial<FetchContext> = {}): FetchContext {
  const environment = { PATH: process.env.PATH };
  return { cwd: folder, home: folder, environment, cacheFolder: join(folder, 'cache'), isOffline: false, ...more };
}

function fetchSpec(spec: string, more: Partial<FetchContext> = {}) {
  count += 1;
  return fetchPypi(parsePypiSpec(spec), context(more), join(folder, `into-${count}`));
}

describe('a Python package', () => {
  it.each([
    ['good', '1.2.0', 'good-1.2.0-py3-none-any.whl'],
    ['good==1.0.0', '1.0.0', 'good-1.0.0-py3-none-any.whl'],
    ['good<1.2', '1.0.0', 'good-1.0.0-py3-none-any.whl'],
    ['good==1.9.0', '1.9.0', 'good-1.9.0-py3-none-any.whl'],
    ['good>=2.0.0rc1', '2.0.0rc1', 'good-2.0.0rc1-py3-none-any.whl'],
    ['Html_Only', '1.1', 'html_only-1.1-py3-none-any.whl'],
    ['html-only<0.9', '0.8', 'html_only-0.8.tar.gz'],
  ])('%s is %s', async (spec, version, filename) => {
    const fetched = await fetchSpec(spec);
    expect(fetched.version).toBe(version);
    expect(readFileSync(fetched.archive)).toEqual(contentOf(filename));
    expect(fetched.origin).toBe(`${base}/files/${filename}`);
  });

  it('is followed to where the index sends us', async () => {
    const fetched = await fetchSpec('sent-on');
    expect(readFileSync(fetched.archive)).toEqual(contentOf('sent_on-1.0.zip'));
  });

  it('says whether its hash was told, and what the index knows', async () => {
    const fetched = await fetchSpec('good');
    expect(fetched).toMatchObject({
      isVerified: true,
      registry: {
        publishedAt: '2021-01-01T00:00:00Z',
        firstPublishedAt: '2020-01-01T00:00:00Z',
        previousVersion: '1.0.0',
        isYanked: false,
      },
    });
    expect((await fetchSpec('html-only==0.8')).isVerified).toBe(false);
    expect((await fetchSpec('good==1.9.0')).registry?.isYanked).toBe(true);
  });

  it('may lie in a folder', async () => {
    const fetched = await fetchSpec('local-one');
    expect(readFileSync(fetched.archive, 'utf8')).toBe('local');
  });

  it('is asked for with the credentials of the settings, which are not told', async () => {
    seen = [];
    const fetched = await fetchSpec('good');
    expect(seen[0]).toBe(`/simple/good/ Basic ${Buffer.from('user:s3cret').toString('base64')}`);
    expect(JSON.stringify(fetched)).not.toContain('s3cret');
  });

  it.each<[string, typeof TargetError | typeof HostError, RegExp]>([
    ['nobody', TargetError, /no index has files/],
    ['good==7', TargetError, /none of .* files fits/],
    ['html-only==0.9', TargetError, /sha256 hash that the index tells/],
    ['circle', TargetError, /no index has files/],
    ['locked', HostError, /answers 403/],
  ])('%s is refused', async (spec, kind, message) => {
    const failing = fetchSpec(spec);
    await expect(failing).rejects.toThrow(kind);
    await expect(failing).rejects.toThrow(message);
    await expect(failing).rejects.not.toThrow(/s3cret/);
  });

  it('comes from the cache when there is no network', async () => {
    await fetchSpec('good');
    seen = [];
    await expect(fetchSpec('good', { isOffline: true })).resolves.toMatchObject({ version: '1.2.0' });
    expect(seen).toEqual([]);
    await expect(fetchSpec('good==1.0.0', { isOffline: true, cacheFolder: join(folder, 'empty') })).rejects.toThrow(
      HostError,
    );
  });

  it('says that the index is away', async () => {
    const environment = { PATH: process.env.PATH, PIP_INDEX_URL: 'http://127.0.0.1:9/simple' };
    await expect(fetchSpec('good', { environment, cacheFolder: join(folder, 'away') })).rejects.toThrow(
      /cannot be reached/,
    );
  });

  it('that is too large is cut off', async () => {
    await expect(
      fetchSpec('good==1.0.0', { limits: { maxArchiveBytes: 3 }, cacheFolder: join(folder, 'tiny') }),
    ).rejects.toThrow(/larger than 3 bytes/);
  });
});

describe('what an install would bring', () => {
  it('is found in metadata alone', async () => {
    const graph = await resolveDependencies(
      { ecosystem: 'pypi', requires: ['good>=1', 'gone @ https://h/x.whl'], extras: [] },
      context(),
    );
    expect(graph.direct).toEqual([{ name: 'good', range: '>=1', kind: 'normal', version: '1.2.0' }]);
    expect(graph.packages).toMatchObject([
      {
        name: 'good',
        version: '1.2.0',
        licence: 'MIT',
        hasInstallScript: false,
        dependencies: [
          { name: 'html-only', range: '>=1', version: '1.1' },
          { name: 'gone', range: '' },
        ],
      },
      { name: 'html-only', version: '1.1' },
    ]);
    expect(graph.unresolved.map(({ why }) => why).sort()).toEqual([
      'no file fits',
      'not from an index',
      'only a build would tell what it requires',
    ]);
  });
});
