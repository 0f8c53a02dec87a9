import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePoints, confusableScripts, describeChanges, looksLatin, normaliseText } from './normalise.ts';

describe('normaliseText', () => {
  it.each([
    ['zero-width space', 'a\u200bb'],
    ['zero-width joiner', 'a\u200db'],
    ['word joiner', 'a\u2060b'],
    ['byte order mark', 'a\ufeffb'],
    ['right-to-left override', 'a\u202eb'],
    ['isolate', 'a\u2066b'],
    ['left-to-right mark', 'a\u200eb'],
    ['tag character', 'a\u{e0041}b'],
    ['variation selector', 'a\ufe0fb'],
    ['supplementary variation selector', 'a\u{e0100}b'],
    ['soft hyphen', 'a\u00adb'],
    ['combining grapheme joiner', 'a\u034fb'],
    ['Mongolian vowel separator', 'a\u180eb'],
    ['Mongolian variation selector', 'a\u180bb'],
    ['Hangul filler', 'a\u3164b'],
    ['half-width Hangul filler', 'a\uffa0b'],
    ['Hangul choseong filler', 'a\u115fb'],
    ['Braille blank', 'a\u2800b'],
    ['line separator', 'a\u2028b'],
    ['interlinear annotation', 'a\ufff9b'],
    ['private use', 'a\ue000b'],
    ['lone surrogate', 'a\ud800b'],
    ['NUL', 'a\0b'],
    ['escape', 'a\u001bb'],
  ])('removes a %s and says so', (_name, text) => {
    const { text: normalised, changes } = normaliseText(text);
    expect(normalised).toBe('ab');
    expect(changes).toEqual([{ index: 1, characters: codePoints(text.slice(1, -1)), change: 'removed' }]);
  });

  it.each([
    ['full-width letters', '\uff41\uff42', 'ab'],
    ['a ligature', '\ufb01le', 'file'],
    ['a mathematical letter', '\u{1d41a}', 'a'],
    ['a no-break space', 'a\u00a0b', 'a b'],
    ['a circled digit', '\u2460', '1'],
  ])('replaces %s', (_name, text, expected) => {
    const { text: normalised, changes } = normaliseText(text);
    expect(normalised).toBe(expected);
    expect(changes.every(({ change }) => change === 'replaced')).toBe(true);
    expect(changes).not.toEqual([]);
  });

  it('reports a letter that is put together from two', () => {
    expect(normaliseText('e\u0301').changes).toMatchObject([{ change: 'composed', by: 'é' }]);
  });

  it('puts together what an invisible character kept apart', () => {
    expect(normaliseText('e\u200b\u0301').text).toBe('é');
  });

  it.each(['', 'plain', 'two\nlines\twith tab', 'é', '漢字', 'наш', '/usr/lib/x86_64-linux-gnu'])(
    'leaves %j alone',
    (text) => {
      expect(normaliseText(text)).toEqual({ text, changes: [] });
    },
  );

  it('is done after one application, and changes are told exactly when there are some', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (given) => {
        const { text, changes } = normaliseText(given);
        expect(normaliseText(text)).toEqual({ text, changes: [] });
        expect(changes.length > 0).toBe(text !== given);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('describeChanges', () => {
  it('names each character and counts the rest', () => {
    const { changes } = normaliseText(`\uff41${'\u200b'.repeat(6)}`);
    expect(describeChanges(changes, 2)).toBe('U+FF41 became "a", U+200B removed and 5 more');
  });
});

describe('confusable words', () => {
  it.each([
    ['раураl', ['Latin', 'Cyrillic']],
    ['pαypal', ['Latin', 'Greek']],
    ['paypal', []],
    ['münchen', []],
    ['привет', []],
    ['東京タワーabc', []],
    ['한국漢字', []],
    ['漢字привет', ['Cyrillic', 'Han']],
  ])('%s mixes %j', (word, scripts) => {
    expect(confusableScripts(word)).toEqual(scripts);
  });

  it.each([
    ['аррӏе', true],
    ['сосо', true],
    ['apple', false],
    ['привет', false],
    ['123', false],
    ['', false],
  ])('%s looks Latin without being so: %s', (word, expected) => {
    expect(looksLatin(word)).toBe(expected);
  });
});
