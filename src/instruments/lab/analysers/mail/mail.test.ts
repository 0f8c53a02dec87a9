import { describe, expect, it } from 'vitest';
import { decompressRtf } from './compressed-rtf.ts';
import { passwordsIn, readPage } from './examine-body.ts';
import { authenticationOf, isHomograph } from './examine-headers.ts';
import { type Message, parseHeaders } from './message.ts';

const tick = (): void => undefined;

describe('passwordsIn', () => {
  it.each([
    ['The password is: Abc123', ['Abc123']],
    ['Password for the archive: 7788', ['7788']],
    ['Das Kennwort: "Winter24".', ['Winter24']],
    ['This file is password protected.', []],
    ['Passwort = geheim!', ['geheim']],
  ])('%s', (text, expected) => {
    expect(passwordsIn(text)).toEqual(expected);
  });
});

describe('isHomograph', () => {
  it.each([
    ['example.com', false],
    ['müller.example', false],
    ['пример.example', false],
    ['xn--pple-43d.com', true],
    ['раураӏ.example', true],
    ['exаmple.com', true],
  ])('%s', (domain, expected) => {
    expect(isHomograph(domain)).toBe(expected);
  });
});

describe('parseHeaders', () => {
  it('puts folded lines together', () => {
    expect(parseHeaders('A: one\r\n two\r\nB:three\r\nnot a header')).toEqual([
      { key: 'a', value: 'one two' },
      { key: 'b', value: 'three' },
    ]);
  });
});

describe('authenticationOf', () => {
  it('takes the first word of each', () => {
    const headers = parseHeaders(
      'Authentication-Results: a; spf=pass x; dkim = fail\r\nAuthentication-Results: b; spf=fail; dmarc=none',
    );
    expect(authenticationOf({ headers } as unknown as Message)).toEqual({ spf: 'pass', dkim: 'fail', dmarc: 'none' });
  });
});

describe('readPage', () => {
  it('finds links, forms and text behind broken quotes', () => {
    const page = readPage(
      '<a href=\'http://a.example\'>one</a><b title="x><a HREF="http://b.example">two</a><form action="/x">',
      tick,
    );
    expect(page.links.map(({ target }) => target)).toEqual(['http://a.example', 'http://b.example']);
    expect(page.forms).toEqual(['/x']);
  });
});

describe('decompressRtf', () => {
  it('reads the example of the published description', () => {
    const hex = '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0';
    const text = Buffer.from(decompressRtf(Buffer.from(hex, 'hex'), tick)).toString('latin1');
    expect(text).toBe('{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n');
  });

  it('takes what is stored plainly as it is', () => {
    const bytes = Buffer.concat([
      Buffer.from('0f00000003000000', 'hex'),
      Buffer.from('MELA'),
      Buffer.alloc(4),
      Buffer.from('abc'),
    ]);
    expect(Buffer.from(decompressRtf(bytes, tick)).toString()).toBe('abc');
  });
});
