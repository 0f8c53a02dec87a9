import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Duplex } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../base/errors.ts';
import { makeRequest } from './http-request.ts';

const running: (() => void)[] = [];
afterEach(() => {
  for (const stop of running.splice(0)) stop();
});

async function listen(onRequest: RequestListener): Promise<URL> {
  const server = createServer(onRequest);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  running.push(() => void server.close());
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

describe('a request', () => {
  it('is made over http and https only', () => {
    expect(() => makeRequest({ url: new URL('ftp://a/') })).toThrow(UsageError);
  });

  it('goes the way it is given, and no other', async () => {
    let arrived = 0;
    const url = await listen((_request, response) => {
      arrived += 1;
      response.end();
    });
    const sent: Buffer[] = [];
    const connect = () => {
      const socket = new Duplex({
        read: () => undefined,
        write(chunk: Buffer, _encoding, done) {
          sent.push(chunk);
          socket.push('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nSet-Cookie: a\r\nSet-Cookie: b\r\n\r\nhello');
          done();
        },
      });
      return socket;
    };
    const response = await makeRequest({ url, connect })({ method: 'GET', path: '/x', headers: {}, body: '' });
    expect((await Array.fromAsync(response.body)).map(String).join('')).toBe('hello');
    expect(response.headers['set-cookie']).toBe('a, b');
    expect(Buffer.concat(sent).toString()).toMatch(/^GET \/x HTTP\/1\.1\r\n/);
    expect(arrived).toBe(0);
  });

  it('carries the headers of the caller', async () => {
    const url = await listen((request, response) => response.end(request.headers.authorization));
    const response = await makeRequest({ url, headers: { authorization: 'Bearer x' } })({
      method: 'GET',
      path: '/',
      headers: {},
      body: '',
    });
    expect((await Array.fromAsync(response.body)).map(String).join('')).toBe('Bearer x');
  });
});
