import { describe, expect, it } from 'vitest';
import { readEscape } from './escapes.ts';
import { joinLabels } from './labels.ts';

describe('one escape', () => {
  it.each([
    ['%2F', 'url-encoded', '/', 3],
    ['%2fx', 'url-encoded', '/', 3],
    ['\\u0041', 'json-escaped', 'A', 6],
    ['\\x41B', 'json-escaped', 'A', 4],
    ['\\/', 'json-escaped', '/', 2],
    ['\\"', 'json-escaped', '"', 2],
    ['&amp;', 'html-escaped', '&', 5],
    ['&#43;', 'html-escaped', '+', 5],
    ['&#x2B;', 'html-escaped', '+', 6],
    ['&#X00002b;', 'html-escaped', '+', 10],
    ['&#8364;', 'html-escaped', '€', 7],
    ['&#99999999;', 'html-escaped', '', 11],
  ])('%s is read', (text, encoding, character, length) => {
    const found = readEscape(Buffer.from(text), 0);
    expect({ ...found, bytes: found?.bytes.toString() }).toEqual({ encoding, bytes: character, length });
  });

  it.each(['%', '%2', '%zz', '\\u004', '\\q', '&', '&amp', '&nosuch;', '&#;', '&#x;', 'a%41', ''])(
    '%j is none',
    (text) => {
      expect(readEscape(Buffer.from(text), 0)).toBeNull();
    },
  );

  it('a byte that is no text stays that byte', () => {
    expect(readEscape(Buffer.from('\\u008b'), 0)?.bytes).toEqual(Buffer.from([0x8b]));
  });
});

describe('labels', () => {
  it.each([
    ['abc.def.evil.example', 2, 'abcdef'],
    ['abc.def.evil.example.', 2, 'abcdef'],
    ['abc.evil.co.example', 3, 'abc'],
    ['evil.example', 2, ''],
    ['', 2, ''],
  ])('%j without its last %i are %j', (name, zone, joined) => {
    expect(joinLabels(name, zone).toString()).toBe(joined);
  });
});
