import { describe, expect, it } from 'vitest';
import { formatJson } from './format-json.ts';

describe('formatJson', () => {
  const table: readonly [string, unknown, string][] = [
    ['plain', { a: 1 }, '{\n  "a": 1\n}\n'],
    ['letters of other languages stay', ['é漢😀'], '[\n  "é漢😀"\n]\n'],
    ['an escape sequence', ['\u001b[2J'], '[\n  "\\u001b[2J"\n]\n'],
    ['delete and the second set of controls', ['\u007f\u009b'], '[\n  "\\u007f\\u009b"\n]\n'],
    ['text that turns around', ['a\u202eb'], '[\n  "a\\u202eb"\n]\n'],
    ['tag characters', ['\u{e0041}'], '[\n  "\\udb40\\udc41"\n]\n'],
  ];
  it.each(table)('%s', (_, value, text) => {
    expect(formatJson(value)).toBe(text);
    expect(JSON.parse(text)).toEqual(value);
  });

  it('is one line when asked for', () => {
    expect(formatJson({ a: ['b\nc'] }, 0)).toBe('{"a":["b\\nc"]}\n');
  });
});
