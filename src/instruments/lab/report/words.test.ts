import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { techniqueWords } from './techniques.ts';
import { joinMoments, oneLine } from './words.ts';

describe('words of a report', () => {
  it.each([
    ['a\n  b\r\n\r\nc', 'a \u23ce b \u23ce c'],
    [`a.jpg${' '.repeat(60)}.js`, 'a.jpg [60 blanks] .js'],
    [`a${'\u00a0'.repeat(5)}b`, 'a [5 blanks] b'],
    ['a   b', 'a   b'],
  ])('%j on one line', (text, line) => {
    expect(oneLine(text)).toBe(line);
  });

  it('counts what happened again and again', () => {
    const entry = { at_ms: 1, kind: 'connect', process: 'a 1', text: 'x' };
    const moments = joinMoments([entry, { ...entry, at_ms: 2 }, { ...entry, text: 'y' }, entry]);
    expect(moments.map(({ times }) => times)).toEqual([2, 1, 1]);
  });

  it('has a name for every technique that an analyser or a rule names', () => {
    const folders = [join(import.meta.dirname, '..', 'analysers'), join(import.meta.dirname, '../../../../rules/yara')];
    const texts = folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
    );
    const ids = new Set(texts.flatMap((text) => text.match(/\bT1\d{3}(?:\.\d{3})?\b/g) ?? []));
    expect(ids.size).toBeGreaterThan(50);
    expect([...ids].filter((id) => techniqueWords(id) === id)).toEqual([]);
  });
});
