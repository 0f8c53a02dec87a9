import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { chooseByTaste } from '../router/serve-streams.ts';
import { chunksOf, lookAtFirstBytes } from './first-bytes.ts';
import { tasteHttp } from './http.ts';
import { chooseProtocol } from './tls.ts';

const limits = { timeoutMs: 2000, capBytes: 1000 };

describe('lookAtFirstBytes', () => {
  it('waits until it is enough, and puts back what it looked at', async () => {
    const stream = new PassThrough();
    const looking = lookAtFirstBytes(stream, (bytes) => bytes.includes('\n'), limits);
    stream.write('one ');
    setImmediate(() => stream.end('two\nthree'));
    expect((await looking).toString()).toBe('one two\nthree');
    const chunks: Buffer[] = [];
    for await (const chunk of chunksOf(stream)) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe('one two\nthree');
  });

  it('gives what there is when the time is over, and nothing for silence', async () => {
    const stream = new PassThrough();
    const short = { timeoutMs: 20, capBytes: 1000 };
    expect((await lookAtFirstBytes(stream, () => true, short)).length).toBe(0);
    stream.write('half');
    expect((await lookAtFirstBytes(stream, () => false, short)).toString()).toBe('half');
    expect(stream.read().toString()).toBe('half');
  });

  it('looks at no more than it may', async () => {
    const stream = new PassThrough();
    stream.write(Buffer.alloc(1500));
    expect((await lookAtFirstBytes(stream, () => false, limits)).length).toBe(1500);
  });

  it('ends with the stream', async () => {
    const stream = new PassThrough();
    stream.end();
    expect((await lookAtFirstBytes(stream, () => false, limits)).length).toBe(0);
  });
});

describe('tasteHttp', () => {
  it.each([
    ['GET / HTTP/1.1\r\n', 'yes'],
    ['PROPFIND /x HTTP/1.0\n', 'yes'],
    ['M-SEARCH * HTTP/1.1\r\n', 'yes'],
    ['G', 'more'],
    ['GET /a', 'more'],
    ['GET / HTTP/1.1\r', 'more'],
    ['get / http/1.1\r\n', 'no'],
    ['GET /\r\n', 'no'],
    ['PRI * HTTP/2.0\r\n', 'no'],
    ['SSH-2.0-x\r\n', 'no'],
    ['\0GET', 'no'],
    [`GET ${'a'.repeat(40_000)}`, 'no'],
  ] as const)('%j: %s', (text, expected) => {
    expect(tasteHttp(Buffer.from(text.slice(0, 50_000)))).toBe(expected);
  });
});

describe('chooseByTaste', () => {
  it.each([
    ['GET / HTTP/1.1\r\n', 'http'],
    ['\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00', 'tls'],
    ['\x16\x03\x01', null],
    ['GET', null],
    ['hello\n', 'raw'],
    ['\x00', 'raw'],
  ])('%j goes to %s', (text, expected) => {
    expect(chooseByTaste(Buffer.from(text, 'latin1'), null)?.id ?? null).toBe(expected);
  });
});

describe('chooseProtocol', () => {
  it.each([
    [['h2', 'http/1.1'], 'h2'],
    [['http/1.1', 'h2'], 'h2'],
    [['http/1.1'], 'http/1.1'],
    [['amqp', 'x'], 'amqp'],
    [[], undefined],
  ])('%j: %s', (offered, expected) => {
    expect(chooseProtocol(offered)).toBe(expected);
  });
});
