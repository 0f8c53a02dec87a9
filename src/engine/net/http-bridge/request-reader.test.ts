import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultBridgeCaps } from './contract.ts';
import { headBytes } from './inject-header.ts';
import { RequestReader } from './request-reader.ts';

const runs = Number(process.env.HOTCELL_FUZZ_RUNS ?? 300);
const caps = { ...defaultBridgeCaps, headBytes: 4096, targetBytes: 512, headers: 16 };

interface Read {
  readonly requests: readonly { readonly method: string; readonly target: string; readonly host: string }[];
  /** All that would be sent on. */
  readonly passed: string;
  readonly wholes: number;
  readonly refused: string | null;
  readonly isBetween: boolean;
}

function read(pieces: readonly Buffer[], isTls = false): Read {
  const reader = new RequestReader({ isTls, port: 80, caps, isGuarded: (name) => name === 'x-key' });
  const requests: { method: string; target: string; host: string }[] = [];
  let passed = '';
  let wholes = 0;
  for (const piece of pieces) {
    reader.push(piece);
    for (let step = reader.next(); step.is !== 'more'; step = reader.next()) {
      if (step.is === 'refused')
        return { requests, passed, wholes, refused: step.because, isBetween: reader.isBetween };
      if (step.is === 'body') passed += step.bytes.toString('latin1');
      if (step.is === 'end') wholes += 1;
      if (step.is !== 'head') continue;
      const { method, target, authority } = step.head;
      requests.push({ method, target, host: `${authority.host}:${authority.port}` });
      passed += headBytes(step.head, null).toString('latin1');
    }
  }
  return { requests, passed, wholes, refused: null, isBetween: reader.isBetween };
}

const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');
const eachByte = (text: string): readonly Buffer[] => [...bytesOf(text)].map((byte) => Buffer.from([byte]));
const get = (headers: string, line = 'GET / HTTP/1.1'): string => `${line}\r\nHost: h\r\n${headers}\r\n`;
const post = (headers: string, body = ''): string => `POST / HTTP/1.1\r\nHost: h\r\n${headers}\r\n${body}`;
const chunked = (body: string): string => post('Transfer-Encoding: chunked\r\n', body);

const allowed: readonly (readonly [string, string, number])[] = [
  ['least', get(''), 1],
  ['HTTP/1.0', get('', 'GET / HTTP/1.0'), 1],
  ['a query', get('', 'GET /a/b?c=d&e=%00 HTTP/1.1'), 1],
  ['odd characters in the target', get('', `GET /{}|^"<>\`\\[]~!$&'()*+,;=:@%zz HTTP/1.1`), 1],
  ['absolute form', 'GET http://h/x HTTP/1.1\r\nHost: h\r\n\r\n', 1],
  ['absolute form with the port', 'GET http://h:80/x HTTP/1.1\r\nHost: H\r\n\r\n', 1],
  ['OPTIONS *', get('', 'OPTIONS * HTTP/1.1'), 1],
  ['an unknown method', get('', 'PROPFIND / HTTP/1.1'), 1],
  ['a method with a hyphen', get('', 'M-SEARCH / HTTP/1.1'), 1],
  ['an empty value', get('X:\r\n'), 1],
  ['a value without a space, with tabs, with bytes', get('X:a\tb \xe9\xff \r\n'), 1],
  ['a name of all characters', get(`!#$%&'*+.^_\`|~09az-AZ: 1\r\n`), 1],
  ['the port in Host', 'GET / HTTP/1.1\r\nHost: h:80\r\n\r\n', 1],
  ['an address', 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', 1],
  ['an IPv6 address', 'GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n', 1],
  ['GET that says that it has no body', get('Content-Length: 0\r\n'), 1],
  ['a body', post('Content-Length: 5\r\n', 'a\r\n\0b'), 1],
  ['no body', post(''), 1],
  ['chunks', chunked('5\r\nhello\r\nA\r\n0123456789\r\n0\r\n\r\n'), 1],
  ['zeros before a chunk', chunked('0005\r\nhello\r\n000\r\n\r\n'), 1],
  ['trailers', chunked('1\r\na\r\n0\r\nX: y\r\nZ:\r\n\r\n'), 1],
  ['two', get('') + get(''), 2],
  ['keep-alive', get('Connection: keep-alive, TE\r\nTE: trailers\r\n') + get(''), 2],
  ['HTTP/1.0 that is kept', get('Connection: Keep-Alive\r\n', 'GET / HTTP/1.0') + get(''), 2],
  ['a body and one more', post('Content-Length: 3\r\n', 'GET') + get(''), 2],
  ['chunks and one more', chunked('3\r\nGET\r\n0\r\n\r\n') + get('Connection: close\r\n'), 2],
];

const refused: readonly (readonly [string, string])[] = [
  ['nothing but a line end', '\r\n'],
  ['an empty line before', `\r\n${get('')}`],
  ['a TLS hello', '\x16\x03\x01\0\0'],
  ['another protocol', 'SSH-2.0-x\r\n'],
  ['the HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['HTTP/0.9', 'GET /\r\n'],
  ['HTTP/2.0', get('', 'GET / HTTP/2.0')],
  ['HTTP/1.2', get('', 'GET / HTTP/1.2')],
  ['HTTP/01.1', get('', 'GET / HTTP/01.1')],
  ['http/1.1', get('', 'GET / http/1.1')],
  ['a space after the version', get('', 'GET / HTTP/1.1 ')],
  ['two spaces', get('', 'GET  / HTTP/1.1')],
  ['two spaces after the target', get('', 'GET /  HTTP/1.1')],
  ['a tab in the line', get('', 'GET\t/ HTTP/1.1')],
  ['a space in the target', get('', 'GET /a b HTTP/1.1')],
  ['a space before', get('', ' GET / HTTP/1.1')],
  ['a small method', get('', 'get / HTTP/1.1')],
  ['a mixed method', get('', 'GeT / HTTP/1.1')],
  ['a digit in the method', get('', 'G3T / HTTP/1.1')],
  ['a long method', get('', `${'A'.repeat(33)} / HTTP/1.1`)],
  ['CONNECT', get('', 'CONNECT h:80 HTTP/1.1')],
  ['CONNECT to a path', get('', 'CONNECT / HTTP/1.1')],
  ['no target', get('', 'GET HTTP/1.1')],
  ['a target without a slash', get('', 'GET x HTTP/1.1')],
  ['GET *', get('', 'GET * HTTP/1.1')],
  ['a fragment', get('', 'GET /#x HTTP/1.1')],
  ['bytes in the target', get('', 'GET /\xe9 HTTP/1.1')],
  ['a long target', get('', `GET /${'a'.repeat(512)} HTTP/1.1`)],
  ['absolute form of another kind', get('', 'GET https://h/ HTTP/1.1')],
  ['absolute form of a file', get('', 'GET file://h/ HTTP/1.1')],
  ['absolute form in capitals', get('', 'GET HTTP://h/ HTTP/1.1')],
  ['absolute form for another host', get('', 'GET http://other/ HTTP/1.1')],
  ['absolute form for another port', get('', 'GET http://h:81/ HTTP/1.1')],
  ['absolute form with a user', get('', 'GET http://h@other/ HTTP/1.1')],
  ['absolute form with a user of the same host', get('', 'GET http://other@h/ HTTP/1.1')],
  ['absolute form with a backslash', get('', 'GET http://other\\@h/ HTTP/1.1')],
  ['absolute form with one slash', get('', 'GET http:/h/ HTTP/1.1')],
  ['absolute form without a host', get('', 'GET http:/// HTTP/1.1')],
  ['a line feed after the first line', 'GET / HTTP/1.1\nHost: h\r\n\r\n'],
  ['a line feed after a header', 'GET / HTTP/1.1\r\nHost: h\n\r\n'],
  ['a line feed at the end', 'GET / HTTP/1.1\r\nHost: h\r\n\n'],
  ['a carriage return in the first line', 'GET /\rx HTTP/1.1\r\nHost: h\r\n\r\n'],
  ['a carriage return in a value', get('X: a\rb\r\n')],
  ['two carriage returns', get('X: a\r\r\n')],
  ['NUL in a value', get('X: a\0b\r\n')],
  ['NUL in a name', get('X\0: a\r\n')],
  ['a vertical tab', get('X: \x0bchunked\r\n')],
  ['DEL', get('X: \x7f\r\n')],
  ['a folded header', get('X: a\r\n b\r\n')],
  ['a header folded by a tab', get('X: a\r\n\tb\r\n')],
  ['a folded first header', 'GET / HTTP/1.1\r\n Host: h\r\nHost: h\r\n\r\n'],
  ['a space before the colon', get('X : a\r\n')],
  ['a tab before the colon', get('X\t: a\r\n')],
  ['a space in a name', get('X Y: a\r\n')],
  ['no colon', get('X\r\n')],
  ['no name', get(': a\r\n')],
  ['bytes in a name', get('X\xe9: a\r\n')],
  ['brackets in a name', get('X[]: a\r\n')],
  ['no Host', 'GET / HTTP/1.1\r\n\r\n'],
  ['no Host in HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n'],
  ['two Hosts', get('Host: other\r\n')],
  ['the same Host twice', get('Host: h\r\n')],
  ['two hosts in Host', 'GET / HTTP/1.1\r\nHost: h, other\r\n\r\n'],
  ['an empty Host', 'GET / HTTP/1.1\r\nHost:\r\n\r\n'],
  ['a user in Host', 'GET / HTTP/1.1\r\nHost: x@h\r\n\r\n'],
  ['a path in Host', 'GET / HTTP/1.1\r\nHost: h/x\r\n\r\n'],
  ['another port in Host', 'GET / HTTP/1.1\r\nHost: h:81\r\n\r\n'],
  ['an empty port', 'GET / HTTP/1.1\r\nHost: h:\r\n\r\n'],
  ['a port that is none', 'GET / HTTP/1.1\r\nHost: h:80x\r\n\r\n'],
  ['a dot at the end of Host', 'GET / HTTP/1.1\r\nHost: h.\r\n\r\n'],
  ['an address in decimal', 'GET / HTTP/1.1\r\nHost: 2130706433\r\n\r\n'],
  ['a short address', 'GET / HTTP/1.1\r\nHost: 127.1\r\n\r\n'],
  ['an octal address', 'GET / HTTP/1.1\r\nHost: 0177.0.0.1\r\n\r\n'],
  ['an address within another', 'GET / HTTP/1.1\r\nHost: [::ffff:127.0.0.1]\r\n\r\n'],
  ['an address with a zone', 'GET / HTTP/1.1\r\nHost: [fe80::1%25lo]\r\n\r\n'],
  ['half a bracket', 'GET / HTTP/1.1\r\nHost: [::1\r\n\r\n'],
  ['bytes in Host', 'GET / HTTP/1.1\r\nHost: h\xe9\r\n\r\n'],
  ['Content_Length', post('Content_Length: 5\r\n')],
  ['Transfer_Encoding', post('Transfer_Encoding: chunked\r\n')],
  ['CL.TE', post('Content-Length: 6\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\nG')],
  ['TE.CL', post('Transfer-Encoding: chunked\r\nContent-Length: 4\r\n', '5c\r\nGPOST / HTTP/1.1')],
  ['TE.TE', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n')],
  ['chunked twice', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n')],
  ['chunked, chunked', post('Transfer-Encoding: chunked, chunked\r\n')],
  ['xchunked', post('Transfer-Encoding: xchunked\r\n')],
  ['Chunked', post('Transfer-Encoding: Chunked\r\n')],
  ['identity', post('Transfer-Encoding: identity\r\n')],
  ['gzip, chunked', post('Transfer-Encoding: gzip, chunked\r\n')],
  ['an empty Transfer-Encoding', post('Transfer-Encoding:\r\n')],
  ['a quoted chunked', post('Transfer-Encoding: "chunked"\r\n')],
  ['chunked in HTTP/1.0', 'POST / HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n'],
  ['two lengths', post('Content-Length: 5\r\nContent-Length: 6\r\n')],
  ['the same length twice', post('Content-Length: 5\r\nContent-Length: 5\r\n')],
  ['a list of lengths', post('Content-Length: 5, 5\r\n')],
  ['an empty length', post('Content-Length:\r\n')],
  ['+5', post('Content-Length: +5\r\n')],
  ['-1', post('Content-Length: -1\r\n')],
  ['05', post('Content-Length: 05\r\n')],
  ['0x5', post('Content-Length: 0x5\r\n')],
  ['5.0', post('Content-Length: 5.0\r\n')],
  ['5 5', post('Content-Length: 5 5\r\n')],
  ['a length beyond numbers', post(`Content-Length: ${'9'.repeat(20)}\r\n`)],
  ['GET with a body', get('Content-Length: 5\r\n')],
  ['GET with chunks', get('Transfer-Encoding: chunked\r\n')],
  ['HEAD with a body', get('Content-Length: 1\r\n', 'HEAD / HTTP/1.1')],
  ['Upgrade to h2c', get('Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\n')],
  ['Upgrade to a websocket', get('Upgrade: websocket\r\nConnection: Upgrade\r\n')],
  ['Upgrade alone', get('upgrade: x\r\n')],
  ['HTTP2-Settings', get('HTTP2-Settings: x\r\n')],
  ['Expect', post('Expect: 100-continue\r\nContent-Length: 1\r\n')],
  ['Connection that drops a header', get('Connection: keep-alive, X-Key\r\n')],
  ['Connection that drops the length', post('Connection: Content-Length\r\nContent-Length: 1\r\n')],
  ['Proxy-Connection', get('Proxy-Connection: close\r\n')],
  ['two Connections', get('Connection: close\r\nConnection: close\r\n')],
  ['Connection that cannot decide', get('Connection: close, keep-alive\r\n')],
  ['an empty Connection', get('Connection:\r\n')],
  ['a request after the last', get('Connection: close\r\n') + get('')],
  ['a request after the last of HTTP/1.0', get('', 'GET / HTTP/1.0') + get('')],
  ['a length that ends too early', post('Content-Length: 1\r\n', 'ab')],
  ['a chunk without a size', chunked('\r\n')],
  ['a chunk of x', chunked('x\r\n')],
  ['a chunk of 0x5', chunked('0x5\r\nhello\r\n')],
  ['a chunk of -1', chunked('-1\r\n')],
  ['a chunk that is too large', chunked('FFFFFFFF\r\n')],
  ['a space before a chunk', chunked(' 5\r\nhello\r\n')],
  ['a space after a chunk', chunked('5 \r\nhello\r\n')],
  ['a chunk extension', chunked('5;a=b\r\nhello\r\n')],
  ['a chunk extension with a line feed', chunked('5;\nxx\r\nhello\r\n')],
  ['a line feed after a chunk size', chunked('5\nhello\r\n')],
  ['a line feed after a chunk', chunked('5\r\nhello\n0\r\n\r\n')],
  ['a chunk that is longer', chunked('5\r\nhello!\r\n0\r\n\r\n')],
  ['a chunk that is shorter', chunked('5\r\nhell\r\n0\r\n\r\n')],
  ['a chunk that ends with two carriage returns', chunked('5\r\nhello\r\r\n')],
  ['a line feed after the last chunk', chunked('0\r\n\n')],
  ['a malformed trailer', chunked('0\r\nGET / HTTP/1.1\r\n\r\n')],
  ['a folded trailer', chunked('0\r\nX: y\r\n z\r\n\r\n')],
  ['Host after a body', chunked('0\r\nHost: other\r\n\r\n')],
  ['Content-Length after a body', chunked('0\r\nContent-Length: 5\r\n\r\n')],
  ['a guarded header after a body', chunked('0\r\nX_Key: y\r\n\r\n')],
  ['CRLF that ends a head early', get('X: a\r\n\r\nInjected: b\r\n')],
  ['too many headers', get('X: y\r\n'.repeat(17))],
  ['a large head', get(`X: ${'a'.repeat(2000)}\r\nY: ${'b'.repeat(2200)}\r\n`)],
  ['a line without an end', `GET /${'a'.repeat(5000)}`],
  ['too many trailers', chunked(`0\r\n${'X: y\r\n'.repeat(17)}\r\n`)],
];

describe('RequestReader', () => {
  it.each(allowed)('lets through: %s', (_, text, count) => {
    const whole = read([bytesOf(text)]);
    expect(whole).toMatchObject({ passed: text, refused: null, wholes: count, isBetween: true });
    expect(whole.requests).toHaveLength(count);
    expect(read(eachByte(text))).toEqual(whole);
  });

  it.each(refused)('refuses: %s', (_, text) => {
    const whole = read([bytesOf(text)]);
    expect(whole.refused).toEqual(expect.any(String));
    const one = read(eachByte(text));
    expect(one).toEqual(whole);
  });

  it.each([...allowed, ...refused].map(([name, text]) => [name, text] as const))(
    'reads the same in two pieces: %s',
    (_, text) => {
      const whole = read([bytesOf(text)]);
      for (let at = 1; at < Math.min(text.length, 400); at += 1) {
        expect(read([bytesOf(text.slice(0, at)), bytesOf(text.slice(at))])).toEqual(whole);
      }
    },
  );

  it('has more than sixty shapes that it refuses', () => {
    expect(new Set(refused.map(([, text]) => text)).size).toBeGreaterThan(60);
  });

  it('says nothing of a head before its end', () => {
    const text = get('X: y\r\n');
    expect(read([bytesOf(text.slice(0, -1))])).toMatchObject({ requests: [], passed: '', isBetween: false });
  });

  it('knows that a body is not all there', () => {
    const { passed, wholes, isBetween } = read([bytesOf(post('Content-Length: 5\r\n', 'abc'))]);
    expect([passed.endsWith('abc'), wholes, isBetween]).toEqual([true, 0, false]);
  });

  it('reads the host in one spelling', () => {
    const { requests } = read([bytesOf('GET https://API.h:80/x HTTP/1.1\r\nHost: api.H\r\n\r\n')], true);
    expect(requests).toEqual([{ method: 'GET', target: 'https://API.h:80/x', host: 'api.h:80' }]);
  });

  const piece = fc.oneof(
    fc.constantFrom(...allowed.map(([, text]) => text), ...refused.map(([, text]) => text)),
    fc.constantFrom('\r\n', '\n', ' ', 'GET / HTTP/1.1', 'Host: h', 'Content-Length: ', '5', ':', '0\r\n\r\n', '\0'),
    fc.string({ unit: 'binary-ascii', maxLength: 8 }),
  );

  it('never throws, and passes on a beginning of what it was given', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.array(fc.nat(400), { maxLength: 5 }), (texts, cuts) => {
        const text = texts.join('');
        const whole = read([bytesOf(text)]);
        expect(text.startsWith(whole.passed)).toBe(true);
        const marks = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
        const pieces = marks.slice(1).map((end, at) => bytesOf(text.slice(marks[at], end)));
        expect(read(pieces)).toEqual(whole);
      }),
      { numRuns: runs },
    );
  });
});
