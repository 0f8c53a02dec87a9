import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { CertificateMaker, createAuthority } from '../../../engine/net/certificates/authority.ts';
import type { FetchOrder, FetchResult } from './contract.ts';
import { suggestName } from './file-name.ts';
import { fetchSample } from './index.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}
const serve = (listener: RequestListener): Promise<number> => listen(createServer(listener));

const host = 'files.example.com';
const body = Buffer.from('a harmless marker');
const names: Readonly<Record<string, string>> = {
  [host]: '127.0.0.1',
  'other.example.com': '127.0.0.1',
  'inside.example.com': '10.0.0.1',
};

function sink() {
  const chunks: Uint8Array[] = [];
  const calls: string[] = [];
  return {
    chunks,
    calls,
    write: async (chunk: Uint8Array) => void chunks.push(chunk),
    close: async () => void calls.push('close'),
    remove: async () => void calls.push('remove'),
  };
}

async function get(
  port: number,
  path = '/',
  more: Partial<FetchOrder> = {},
): Promise<FetchResult & { content: string; calls: string[] }> {
  const kept = sink();
  const resolve = async (name: string) => [{ address: names[name] ?? '192.0.2.1', family: 4 }];
  const allow = { hosts: [`${host}:${port}`, 'other.example.com'] };
  const result = await fetchSample({
    url: `http://${host}:${port}${path}`,
    resolve,
    allow,
    timeoutMs: 10_000,
    sink: kept,
    ...more,
  });
  return { ...result, content: Buffer.concat(kept.chunks).toString(), calls: kept.calls };
}

describe('fetching', () => {
  it('gives the bytes with their hashes, and where they came from', async () => {
    const port = await serve((_, response) =>
      response.setHeader('content-disposition', 'attachment; filename="../../a b.exe"').end(body),
    );
    const got = await get(port, '/x?y#z');
    expect(got).toMatchObject({
      content: body.toString(),
      calls: ['close'],
      finalUrl: `http://${host}:${port}/x?y`,
      status: 200,
      sizeBytes: body.length,
      sha256: createHash('sha256').update(body).digest('hex'),
      sha1: createHash('sha1').update(body).digest('hex'),
      md5: createHash('md5').update(body).digest('hex'),
      address: '127.0.0.1',
      redirects: [],
      suggestedName: 'a b.exe',
      isCertificateIgnored: false,
      notes: [],
    });
  });

  it('asks with the name, and connects to the address that was checked, whatever the name says later', async () => {
    const asked: IncomingMessage[] = [];
    const port = await serve((request, response) => {
      asked.push(request);
      response.end(body);
    });
    let turn = 0;
    const resolve = async () => [{ address: ['127.0.0.1', '192.0.2.1'][turn++] ?? '', family: 4 }];
    expect((await get(port, '/', { resolve, headers: ['X-Mark: one'] })).address).toBe('127.0.0.1');
    expect(turn).toBe(1);
    expect(asked[0]?.headers).toMatchObject({
      host: `${host}:${port}`,
      'x-mark': 'one',
      'accept-encoding': 'identity',
    });
  });

  it('follows redirects, each checked anew', async () => {
    const port = await serve((request, response) => {
      const to = {
        '/a': '/b',
        '/b': `http://other.example.com:${port}/c`,
        '/private': 'http://inside.example.com/',
        '/literal': 'http://169.254.169.254/',
        '/file': 'file:///etc/passwd',
        '/user': `http://u:p@${host}:${port}/c`,
        '/loop': '/loop',
      }[request.url ?? ''];
      if (to === undefined) response.end(request.headers.authorization ?? 'no secret');
      else response.writeHead(302, { location: to }).end();
    });
    const got = await get(port, '/a', { headers: ['Authorization: secret', 'X-Mark: one'] });
    expect(got.redirects.map(({ url, status }) => [new URL(url).pathname, status])).toEqual([
      ['/a', 302],
      ['/b', 302],
    ]);
    expect([got.content, got.notes]).toEqual([
      'no secret',
      ['headers that prove who asks were not sent to another origin'],
    ]);
    expect((await get(port, '/c', { headers: ['Authorization: secret'] })).content).toBe('secret');
    await expect(get(port, '/private')).rejects.toThrow(/10\.0\.0\.1.*private/);
    await expect(get(port, '/literal')).rejects.toThrow(/metadata/);
    await expect(get(port, '/file')).rejects.toMatchObject({
      name: 'TargetError',
      message: expect.stringMatching(/redirect/),
    });
    await expect(get(port, '/user')).rejects.toThrow(/redirect leads/);
    await expect(get(port, '/loop')).rejects.toThrow(/too many redirects/);
    await expect(get(port, '/a', { maxRedirects: 1 })).rejects.toThrow(/too many redirects/);
  });

  it('keeps bytes as they are served', async () => {
    const packed = gzipSync(Buffer.alloc(1_000_000));
    const port = await serve((_, response) => response.setHeader('content-encoding', 'gzip').end(packed));
    const got = await get(port);
    expect([got.sizeBytes, got.notes]).toEqual([packed.length, ['the bytes are as served, encoded as gzip']]);
  });

  it.each([
    ['a claimed length', { 'content-length': '5000' }, 5_000],
    ['no length', {}, 5_000],
  ])('stops at the cap with %s, and has the rest removed', async (_, headers, size) => {
    const port = await serve((__, response) => response.writeHead(200, headers).end(Buffer.alloc(size)));
    const kept = sink();
    await expect(get(port, '/', { maxBytes: 4_999, sink: kept })).rejects.toThrow(/larger than 4999/);
    expect(kept.calls).toEqual(['remove']);
    expect((await get(port, '/', { maxBytes: 5_000 })).sizeBytes).toBe(5_000);
  });

  it('tells what went wrong', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/cut')
        response.writeHead(200, { 'content-length': '100' }).write('x', () => response.destroy());
      else if (request.url === '/slow') response.write('x');
      else response.writeHead(404).end('no');
    });
    const kept = sink();
    await expect(get(port, '/none', { sink: kept })).rejects.toThrow(/status 404/);
    await expect(get(port, '/cut', { sink: kept })).rejects.toMatchObject({ name: 'TargetError' });
    await expect(get(port, '/slow', { sink: kept, timeoutMs: 200 })).rejects.toThrow(/within 200 ms/);
    await expect(get(port, '/slow', { sink: kept, signal: AbortSignal.timeout(100) })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    await expect(get(port, '/', { sink: kept, resolve: () => new Promise(() => {}), timeoutMs: 100 })).rejects.toThrow(
      /within 100 ms/,
    );
    expect(kept.calls).toEqual(['remove', 'remove', 'remove', 'remove', 'remove']);
    await expect(get(1, '/')).rejects.toThrow(/cannot be reached \(ECONNREFUSED\)/);
  });

  it('checks certificates against the name, and says when it was told not to', async () => {
    const authority = createAuthority();
    const maker = new CertificateMaker(authority);
    const right = await listen(
      createSecureServer(maker.optionsFor([host], false), (_, response) => response.writeHead(200).end(body)),
    );
    const wrong = await listen(
      createSecureServer(maker.optionsFor(['else.example.com'], false), (_, response) => response.end(body)),
    );
    const url = (port: number) => ({ url: `https://${host}:${port}/` });
    const authorities = [authority.certificatePem];
    expect((await get(right, '/', { ...url(right), authorities })).isCertificateIgnored).toBe(false);
    await expect(get(right, '/', url(right))).rejects.toMatchObject({
      message: expect.stringMatching(/certificate .* not trusted/),
      hint: expect.stringMatching(/ignore/),
    });
    await expect(get(wrong, '/', { ...url(wrong), authorities })).rejects.toThrow(/ALTNAME/);
    const ignored = await get(wrong, '/', { ...url(wrong), isCertificateIgnored: true });
    expect([ignored.content, ignored.isCertificateIgnored]).toEqual([body.toString(), true]);
    const plain = await serve((_, response) => response.end(body));
    const down = await listen(
      createSecureServer(maker.optionsFor([host], false), (_, response) =>
        response.writeHead(307, { location: `http://other.example.com:${plain}/` }).end(),
      ),
    );
    const led = await get(down, '/', { ...url(down), authorities });
    expect([led.content, led.notes]).toEqual([body.toString(), ['a redirect led from https to http']]);
  });

  it('allows what is allowed, and no other port', async () => {
    const port = await serve((_, response) => response.end(body));
    const url = `http://127.0.0.1:${port}/`;
    expect((await get(port, '/', { url, allow: { privateAddresses: true } })).content).toBe(body.toString());
    expect((await get(port, '/', { url, allow: { hosts: ['127.0.0.1'] } })).content).toBe(body.toString());
    await expect(get(port, '/', { url, allow: { hosts: ['127.0.0.1:1'] } })).rejects.toThrow(/loopback/);
    await expect(get(port, '/', { url, allow: { hosts: ['127.0.0.2', 'localhost'] } })).rejects.toThrow(/loopback/);
  });
});

describe('names for what was fetched', () => {
  it.each([
    ['/a/b.exe', undefined, 'b.exe'],
    ['/', undefined, 'download'],
    ['/a%2Fb%00.txt', undefined, 'b_.txt'],
    ['/..', undefined, 'download'],
    ['/.bashrc', undefined, '_bashrc'],
    ['/x', 'attachment; filename=report.pdf', 'report.pdf'],
    ['/x', `attachment; filename*=UTF-8''%e2%82%ac.pdf; filename="a"`, '€.pdf'],
    ['/x', 'attachment; filename="..\\\\..\\\\evil.exe"', 'evil.exe'],
    ['/x', 'attachment; filename="con"', '_con'],
    ['/x', 'attachment', 'x'],
    ['/%zz', undefined, '%zz'],
  ])('%s with %s', (path, disposition, name) => {
    expect(suggestName(new URL(path, 'http://example.com'), disposition)).toBe(name);
  });
});
