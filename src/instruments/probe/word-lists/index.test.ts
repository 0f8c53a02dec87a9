import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../../base/errors.ts';
import { cleanWords } from './clean.ts';
import { isWordListAvailable, readWordList, type WordListAlias } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'hotcell-words-'));
afterAll(() => rmSync(folder, { recursive: true }));

function put(name: string, text: string): void {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

describe('lists that come with Hotcell', () => {
  it.each<[WordListAlias, number, readonly string[]]>([
    ['common', 400, ['.git/HEAD', 'admin', 'actuator/env', 'graphql', 'metrics']],
    ['api', 250, ['users/me', 'openapi.json', 'internal', 'webhooks']],
    ['parameters', 300, ['debug', 'redirect_uri', 'is_admin', 'user_id']],
  ])('%s', (alias, least, expected) => {
    const words = readWordList(alias).toString().trimEnd().split('\n');
    expect(words.length).toBeGreaterThanOrEqual(least);
    expect(words).toEqual(expect.arrayContaining([...expected]));
    expect(new Set(words).size).toBe(words.length);
    expect(words.filter((word) => !/^[A-Za-z0-9._/-]{1,64}$/.test(word))).toEqual([]);
  });
});

describe('SecLists', () => {
  it('is a clear error where it is not installed', () => {
    expect(isWordListAvailable('seclists-big', ['/nowhere'])).toBe(false);
    const attempt = () => readWordList('seclists-big', ['/nowhere']);
    expect(attempt).toThrow(UsageError);
    expect(attempt).toThrow(expect.objectContaining({ hint: expect.stringContaining('package seclists') }));
  });

  it('is read and cleaned where it is', () => {
    put('Discovery/Web-Content/common.txt', '# list\r\n/admin\r\nadmin\n../../etc\na/%2e%2e/b\nb c\n\u00e9\nok\n');
    put('Discovery/Web-Content/big.txt', '# nothing\n');
    const folders = ['/nowhere', folder];
    expect(isWordListAvailable('seclists-common', folders)).toBe(true);
    expect(readWordList('seclists-common', folders).toString()).toBe('admin\nok\n');
    expect(() => readWordList('seclists-big', folders)).toThrow(/no words/);
  });
});

describe('cleanWords', () => {
  it.each([
    ['', []],
    ['a\\b\nc?d\ne#f', []],
    [`${'x'.repeat(201)}\ny`, ['y']],
    ['./a\na/./b\n.a\n..b', ['.a', '..b']],
  ])('%j', (text, wanted) => {
    expect(cleanWords(text)).toEqual(wanted);
  });
});
