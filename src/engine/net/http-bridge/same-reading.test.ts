import { once } from 'node:events';
import { createServer, METHODS, type Server } from 'node:http';
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { headBytes } from './inject-header.ts';
import { RequestReader } from './request-reader.ts';

/** Whatever the reader lets through, a server reads as the same requests. */

const runs = Number(process.env.HOTCELL_FUZZ_RUNS ?? 300);

interface Seen {
  readonly method: string;
  readonly target: string;
  readonly bodyBytes: number;
}

function bodyBytes(body: string, isChunked: boolean): number {
  if (!isChunked) return body.length;
  let sum = 0;
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.slice(at, end), 16);
    if (size === 0) return sum;
    sum += size;
    at = end + 2 + size + 2;
  }
  return sum;
}

/** What is let through of a text, and the requests of it that are whole. */
function read(text: string): {
  readonly passed: string;
  readonly seen: readonly Seen[];
  readonly methods: Set<string>;
} {
  const reader = new RequestReader({ isTls: false, port: 80 });
  const seen: Seen[] = [];
  const methods = new Set<string>();
  let passed = '';
  let body = '';
  let current = { method: '', target: '', isChunked: false };
  reader.push(Buffer.from(text, 'latin1'));
  for (let step = reader.next(); step.is !== 'more' && step.is !== 'refused'; step = reader.next()) {
    if (step.is === 'head') {
      passed += headBytes(step.head, null).toString('latin1');
      const { method, target, framing } = step.head;
      methods.add(method);
      current = { method, target, isChunked: framing.is === 'chunked' };
      body = '';
    }
    if (step.is === 'body') {
      body += step.bytes.toString('latin1');
      passed += step.bytes.toString('latin1');
    }
    if (step.is === 'end') {
      const { method, target, isChunked } = current;
      seen.push({ method, target, bodyBytes: bodyBytes(body, isChunked) });
    }
  }
  return { passed, seen, methods };
}

let server: Server;
let port = 0;
const bySocket = new Map<number, Seen[]>();

beforeAll(async () => {
  server = createServer((request, response) => {
    let count = 0;
    request.on('data', (bytes: Buffer) => {
      count += bytes.length;
    });
    request.on('error', () => undefined);
    request.on('end', () => {
      const { method = '', url = '', socket } = request;
      bySocket.get(socket.remotePort ?? 0)?.push({ method, target: url, bodyBytes: count });
      response.end('ok');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(() => server.close());

async function ask(text: string): Promise<readonly Seen[]> {
  const socket = connect({ port, host: '127.0.0.1' });
  await once(socket, 'connect');
  const seen: Seen[] = [];
  bySocket.set(socket.localPort ?? 0, seen);
  socket.on('error', () => undefined);
  socket.resume().end(text, 'latin1');
  await once(socket, 'close');
  return seen;
}

const method = fc.constantFrom('GET', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'DELETE', 'PATCH', 'PROPFIND', 'M-SEARCH');
const target = fc.constantFrom('/', '/a?b=c', '//x', '/%00', '/a\\b', 'http://h/x', 'http://h:80?', '/;x', '/a|"<>');
const field = fc.constantFrom(
  ...[
    'X-Host: h:80',
    'Content-Length: 5',
    'Content-Length: 0',
    'Transfer-Encoding: chunked',
    'X: y',
    'X:',
    'X: \t\xe9',
    'Connection: close',
    'Connection: keep-alive',
    'TE: trailers',
    'Content-Length: 13',
    'Keep-Alive: x',
    'Proxy-Connection: close',
    'Trailer: X',
    'Content-Encoding: gzip',
  ],
);
const body = fc.constantFrom(
  '',
  'hello',
  '5\r\nhello\r\n0\r\n\r\n',
  '0\r\nX: y\r\n\r\n',
  'GET / HTTP/1.',
  '00A\r\n0123456789\r\n0\r\n\r\n',
);
const likely = fc
  .record({
    method,
    target,
    version: fc.constantFrom('1.1', '1.1', '1.0'),
    fields: fc.uniqueArray(field, { maxLength: 4 }),
    body,
  })
  .map(
    (each) =>
      `${each.method} ${each.target} HTTP/${each.version}\r\n${['Host: h', ...each.fields].join('\r\n')}\r\n\r\n${each.body}`,
  );
/** More often than not nothing is wrong with it. */
const fine = fc.oneof(
  likely,
  fc.constant('OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n'),
  fc
    .tuple(target, body)
    .map(([to, each]) => `POST ${to} HTTP/1.1\r\nHost: h\r\nContent-Length: ${each.length}\r\n\r\n${each}`),
  fc.tuple(method, target).map(([how, to]) => `${how} ${to} HTTP/1.1\r\nHost: h\r\n\r\n`),
  fc.constant('PUT /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n00\r\nT: u\r\n\r\n'),
);
const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  cut: fc.nat(3),
  put: fc.oneof(
    fc.constantFrom(
      '\r\n',
      '\n',
      '\r',
      ' ',
      '\t',
      '\0',
      ':',
      ',',
      ';',
      '0',
      '5',
      'A',
      '\x0b',
      '\x80',
      'chunked',
      '\r\n\r\n',
    ),
    fc.string({ unit: 'binary-ascii', maxLength: 2 }),
  ),
});

describe('what the reader lets through', () => {
  it('is read as the same requests by the server of Node', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fine, { minLength: 1, maxLength: 4 }),
        fc.array(change, { maxLength: 2 }),
        async (requests, changes) => {
          let text = requests.join('');
          for (const { at, cut, put } of changes) {
            const index = Math.floor(at * text.length);
            text = text.slice(0, index) + put + text.slice(index + cut);
          }
          const { passed, seen, methods } = read(text);
          // Others than these are no methods to it at all.
          if (passed === '' || [...methods].some((each) => !METHODS.includes(each))) return;
          compared += 1;
          expect(await ask(passed)).toEqual(seen);
        },
      ),
      { numRuns: runs },
    );
    expect(compared).toBeGreaterThan(runs / 3);
  });
});
