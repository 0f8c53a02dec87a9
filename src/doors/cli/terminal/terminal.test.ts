import { describe, expect, it } from 'vitest';
import { describeTerminal } from './index.ts';
import { count, formatBytes, formatMs } from './quantity.ts';
import { renderRows } from './rows.ts';
import { createSafeOutput } from './safe-output.ts';
import { createStyle, wantsColor } from './style.ts';
import { chooseSymbols } from './symbols.ts';
import { displayWidth, padEnd, wrap } from './width.ts';

describe('displayWidth', () => {
  const table: readonly [string, string, number][] = [
    ['ascii', 'abc', 3],
    ['colour', '\u001b[31mabc\u001b[39m', 3],
    ['wide', '漢字', 4],
    ['emoji', '😀', 2],
    ['a combining mark', 'e\u0301', 1],
    ['zero width', 'a\u200bb', 2],
    ['nothing', '', 0],
  ];
  it.each(table)('%s', (_, text, cells) => {
    expect(displayWidth(text)).toBe(cells);
    expect(displayWidth(padEnd(text, 6))).toBe(6);
  });
});

describe('wrap', () => {
  const table: readonly [string, number, readonly string[]][] = [
    ['one two three', 100, ['one two three']],
    ['one two three', 7, ['one two', 'three']],
    ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
    ['a abcdefgh b', 4, ['a', 'abcd', 'efgh', 'b']],
    ['漢字漢字', 5, ['漢字', '漢字']],
    ['', 5, ['']],
  ];
  it.each(table)('%s in %d cells', (text, cells, lines) => {
    expect(wrap(text, cells)).toEqual(lines);
  });

  it('never makes a line that is too long', () => {
    const text = 'the quick brown fox jumps over the lazy dog and runs away';
    for (let cells = 1; cells < 40; cells++) {
      for (const line of wrap(text, cells)) expect(displayWidth(line)).toBeLessThanOrEqual(cells);
    }
  });
});

describe('renderRows', () => {
  it('lines columns up and lets the last go on below itself', () => {
    const rows = [
      ['+', 'one', 'some words that go on for longer'],
      ['x', 'longer', 'few'],
    ];
    expect(renderRows(rows, { width: 38 })).toBe(
      ['  +  one     some words that go on for', '             longer', '  x  longer  few', ''].join('\n'),
    );
  });

  it('keeps a line a line where there is no terminal', () => {
    const text = renderRows([['a', 'b '.repeat(200).trim()]], { width: Number.POSITIVE_INFINITY });
    expect(text.split('\n')).toHaveLength(2);
  });

  it('puts the last column under its row where it would be too narrow', () => {
    expect(renderRows([['a'.repeat(30), 'text']], { width: 40 })).toBe(`  ${'a'.repeat(30)}\n      text\n`);
  });

  it('makes nothing of nothing', () => {
    expect(renderRows([], { width: 80 })).toBe('');
  });
});

describe('colour', () => {
  const table: readonly [string, Parameters<typeof wantsColor>, boolean][] = [
    ['a terminal', ['auto', true, {}], true],
    ['a pipe', ['auto', false, {}], false],
    ['NO_COLOR', ['auto', true, { NO_COLOR: '1' }], false],
    ['an empty NO_COLOR does not count', ['auto', true, { NO_COLOR: '' }], true],
    ['a dumb terminal', ['auto', true, { TERM: 'dumb' }], false],
    ['always', ['always', false, { NO_COLOR: '1' }], true],
    ['never', ['never', true, {}], false],
  ];
  it.each(table)('%s', (_, facts, expected) => {
    expect(wantsColor(...facts)).toBe(expected);
  });

  it('is nothing but the text where there is none', () => {
    expect(createStyle(false).bad('x')).toBe('x');
    expect(createStyle(true).bad('x')).toBe('\u001b[31mx\u001b[39m');
  });
});

describe('symbols and width', () => {
  it('draws only where the locale can', () => {
    expect(chooseSymbols({ LANG: 'C.UTF-8' }).good).toBe('✔');
    expect(chooseSymbols({ LC_ALL: 'C', LANG: 'C.UTF-8' }).good).toBe('+');
    expect(chooseSymbols({}).good).toBe('+');
  });

  it('has a limit on a terminal and none in a pipe', () => {
    const facts = { color: 'auto', environment: {} } as const;
    expect(describeTerminal({ ...facts, isTerminal: true, columns: 300 }).width).toBe(120);
    expect(describeTerminal({ ...facts, isTerminal: true, columns: undefined }).width).toBe(80);
    expect(describeTerminal({ ...facts, isTerminal: false, columns: 80 }).width).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('quantities', () => {
  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1 KiB'],
    [1536, '1.5 KiB'],
    [256 * 1024 * 1024, '256 MiB'],
    [2 * 1024 ** 3, '2 GiB'],
  ])('%d bytes', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  it.each([
    [0, '0 ms'],
    [999.4, '999 ms'],
    [1500, '1.5 s'],
    [60_000, '1 min'],
    [7_200_000, '2 h'],
  ])('%d ms', (ms, text) => {
    expect(formatMs(ms)).toBe(text);
  });

  it('counts one and many', () => {
    expect([count(0, 'skip'), count(1, 'skip'), count(2, 'box', 'boxes')]).toEqual(['0 skips', '1 skip', '2 boxes']);
  });
});

describe('createSafeOutput', () => {
  async function pass(...chunks: readonly (string | Buffer)[]): Promise<string> {
    const stream = createSafeOutput();
    for (const chunk of chunks) stream.write(chunk);
    stream.end();
    const parts: Buffer[] = [];
    for await (const part of stream) parts.push(Buffer.from(part as Buffer));
    return Buffer.concat(parts).toString();
  }

  const euro = Buffer.from('€');
  const table: readonly [string, readonly (string | Buffer)[], string][] = [
    ['plain text', ['a\tb\nc\r\n'], 'a\tb\nc\n'],
    ['an escape sequence', ['\u001b]0;title\u0007'], '\\x1b]0;title\\x07'],
    ['a carriage return that would hide text', ['evil\rgood'], 'evil\\x0dgood'],
    ['a character split over two chunks', [euro.subarray(0, 1), euro.subarray(1)], '€'],
    ['text that turns around', ['a\u202eb'], 'a\\u{202e}b'],
  ];
  it.each(table)('%s', async (_, chunks, expected) => {
    expect(await pass(...chunks)).toBe(expected);
  });
});
