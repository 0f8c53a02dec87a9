import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { HostError, UsageError } from '../../base/errors.ts';
import { storeLimits } from './limits.ts';
import { Store } from './store.ts';

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hotcell-store-'));
  file = join(folder, 'guard', 'state.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
const things = { name: 'things', schema: z.strictObject({ word: z.string() }), mostDocuments: 3 };

function thrown(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe('a store', () => {
  it('is for its owner alone, also the files that SQLite puts beside it', () => {
    using store = Store.open(file);
    store.collection(things).put('a', { word: 'x' });
    expect([join(folder, 'guard'), file, `${file}-wal`, `${file}-shm`].map(modeOf)).toEqual([
      '700',
      '600',
      '600',
      '600',
    ]);
    chmodSync(file, 0o644);
    Store.open(file).close();
    expect(modeOf(file)).toBe('600');
  });

  it('keeps documents, counts their changes and lists them in order', () => {
    const before = Store.open(file);
    const written = before.collection(things);
    expect(written.get('a')).toBeNull();
    expect(written.put('b', { word: 'one' })).toMatchObject({ key: 'b', revision: 1 });
    expect(written.change('b', (value) => ({ word: `${value?.word} more` }))).toMatchObject({ revision: 2 });
    written.put('a', { word: 'two' });
    before.close();
    using store = Store.open(file);
    const read = store.collection(things);
    expect(read.list().map(({ key, value }) => [key, value.word])).toEqual([
      ['a', 'two'],
      ['b', 'one more'],
    ]);
    expect(read.list({ after: 'a' }).map(({ key }) => key)).toEqual(['b']);
    expect(read.list({ prefix: 'a' }).map(({ key }) => key)).toEqual(['a']);
    expect(read.list({ limit: 1 })).toHaveLength(1);
    expect(store.collection({ ...things, name: 'others' }).list()).toEqual([]);
    expect(read.change('b', () => null)).toBeNull();
    expect([read.remove('a'), read.remove('a'), read.list()]).toEqual([true, false, []]);
  });

  it('says that it changed, whoever did it, and not otherwise', () => {
    using one = Store.open(file);
    using other = Store.open(file);
    const start = one.generation();
    expect(one.generation()).toBe(start);
    one.collection(things).put('a', { word: 'own' });
    const own = one.generation();
    other.collection(things).put('a', { word: 'foreign' });
    const foreign = one.generation();
    expect(new Set([start, own, foreign]).size).toBe(3);
    expect(one.generation()).toBe(foreign);
  });

  it('takes a change back when it fails, and everything inside it', () => {
    using store = Store.open(file);
    const collection = store.collection(things);
    collection.put('a', { word: 'before' });
    const fail = (): never => {
      collection.put('b', { word: 'inner' });
      throw new UsageError('changed my mind');
    };
    expect(thrown(() => collection.change('a', fail))).toEqual(new UsageError('changed my mind'));
    expect(collection.list().map(({ value }) => value.word)).toEqual(['before']);
    collection.change('a', () => {
      expect(() => collection.change('b', fail)).toThrow();
      collection.put('c', { word: 'kept' });
      return { word: 'after' };
    });
    expect(collection.list().map(({ value }) => value.word)).toEqual(['after', 'kept']);
  });

  it.each([
    ['a value that does not fit', (store: Store) => store.collection(things).put('a', { word: 1 } as never), /word/],
    ['no value', (store: Store) => store.collection(things).put('a', undefined as never), /no value/],
    ['an empty key', (store: Store) => store.collection(things).get(''), /empty/],
    ['a key with a new line', (store: Store) => store.collection(things).get('a\nb'), /cannot be kept/],
    ['half a character', (store: Store) => store.collection(things).get('\ud800'), /cannot be kept/],
    ['a long key', (store: Store) => store.collection(things).get('a'.repeat(513)), /longer than 512/],
    ['a negative limit', (store: Store) => store.collection(things).list({ limit: -1 }), /no number/],
    ['an odd name', (store: Store) => store.collection({ ...things, name: 'a b' }), /cannot name a collection/],
    [
      'too large a value',
      (store: Store) => store.collection(things).put('a', { word: 'x'.repeat(storeLimits.mostDocumentBytes) }),
      /bytes/,
    ],
  ])('refuses %s', (_, work, why) => {
    using store = Store.open(file);
    const error = thrown(() => work(store));
    expect(error).toBeInstanceOf(UsageError);
    expect(String(error)).toMatch(why);
  });

  it('holds no more documents of a kind than it may', () => {
    using store = Store.open(file);
    const collection = store.collection(things);
    for (const key of ['a', 'b', 'c']) collection.put(key, { word: key });
    expect(() => collection.put('d', { word: 'd' })).toThrow(/holds 3 documents of things/);
    collection.put('c', { word: 'changed' });
    expect(collection.list()).toHaveLength(3);
  });

  it('says so when a schema would lose a key', () => {
    using store = Store.open(file);
    const value = JSON.parse('{"a":{"__proto__":1},"b":"\\"__proto__\\":"}');
    const loses = store.collection({ name: 'loses', schema: z.json(), mostDocuments: 9 });
    expect(() => loses.put('a', value)).toThrow(/drops the key __proto__/);
    const keeps = store.collection({ name: 'keeps', schema: z.unknown(), mostDocuments: 9 });
    keeps.put('a', value);
    expect(JSON.stringify(keeps.get('a')?.value)).toBe(JSON.stringify(value));
  });

  it('gives back whatever was put in, under whatever key', () => {
    using store = Store.open(file);
    const any = store.collection({ name: 'any', schema: z.json(), mostDocuments: 100_000 });
    const key = fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }).filter((text) => !/\p{Cc}/u.test(text));
    const seen = new Map<string, string>();
    fc.assert(
      fc.property(key, fc.jsonValue(), (name, value) => {
        const text = JSON.stringify(value);
        fc.pre(!text.includes('__proto__'));
        any.put(name, JSON.parse(text));
        seen.set(name, text);
        expect(JSON.stringify(any.get(name)?.value)).toBe(text);
      }),
      { numRuns: 300 },
    );
    const listed = any.list();
    expect(new Map(listed.map((each) => [each.key, JSON.stringify(each.value)]))).toEqual(seen);
    const bytes = listed.map((each) => Buffer.from(each.key));
    expect(bytes.toSorted(Buffer.compare)).toEqual(bytes);
  });
});

describe('a file that is no good', () => {
  const damage: readonly (readonly [string, (path: string) => void, RegExp])[] = [
    ['that is text', (path) => writeFileSync(path, 'hello '.repeat(1000)), /damaged/],
    [
      'that is cut',
      (path) => {
        const store = Store.open(path);
        for (const key of ['a', 'b']) store.collection(things).put(key, { word: 'x'.repeat(100_000) });
        store.close();
        truncateSync(path, 100_000);
      },
      /damaged/,
    ],
    [
      'of another program',
      (path) => {
        const other = new DatabaseSync(path);
        other.exec('CREATE TABLE mine (a)');
        other.close();
      },
      /another program/,
    ],
    [
      'of a newer version',
      (path) => {
        Store.open(path).close();
        const newer = new DatabaseSync(path);
        newer.exec('PRAGMA user_version = 99');
        newer.close();
      },
      /newer Hotcell/,
    ],
    ['that is a link', (path) => symlinkSync('/dev/null', path), /not a file/],
  ];

  it.each(damage)('%s is told with what to do, and left as it is', (_, spoil, why) => {
    const path = join(folder, 'state.sqlite');
    spoil(path);
    const before = readFileSync(path);
    const error = thrown(() => {
      using store = Store.open(path);
      store.collection(things).list();
      store.collection(things).put('a', { word: 'x' });
    });
    expect(error).toBeInstanceOf(HostError);
    expect(String(error)).toMatch(why);
    expect((error as HostError).hint).toBeTruthy();
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('with a document that somebody changed names the document', () => {
    const store = Store.open(file);
    store.collection(things).put('a', { word: 'x' });
    store.close();
    const other = new DatabaseSync(file);
    other.exec(`UPDATE documents SET value = '{"word":5}'`);
    other.close();
    using again = Store.open(file);
    expect(() => again.collection(things).get('a')).toThrow(/things\/a .*word/);
    again.collection(things).put('a', { word: 'mended' });
    expect(again.collection(things).get('a')).toMatchObject({ revision: 2, value: { word: 'mended' } });
  });

  it('that is closed says so', () => {
    const store = Store.open(file);
    const collection = store.collection(things);
    store.close();
    store.close();
    expect(() => collection.get('a')).toThrow(/is closed/);
    expect(() => store.generation()).toThrow(HostError);
  });
});
