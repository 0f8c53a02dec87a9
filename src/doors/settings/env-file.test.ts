import { describe, expect, it } from 'vitest';
import { UsageError } from '../../base/errors.ts';
import { parseEnvFile } from './env-file.ts';

const read = (text: string) => Object.fromEntries(parseEnvFile(text, '.env'));

describe('parseEnvFile', () => {
  const good: readonly [string, string, Record<string, string>][] = [
    ['nothing', '', {}],
    ['plain', 'HOTCELL_A=b', { HOTCELL_A: 'b' }],
    ['blanks and a comment', '  HOTCELL_A =  b c  # note', { HOTCELL_A: 'b c' }],
    ['a value that is a comment', 'HOTCELL_A=# note', { HOTCELL_A: '' }],
    ['a hash inside a value', 'HOTCELL_A=b#c', { HOTCELL_A: 'b#c' }],
    ['export', 'export HOTCELL_A=b', { HOTCELL_A: 'b' }],
    ['windows line ends', 'HOTCELL_A=b\r\nHOTCELL_B=c\r\n', { HOTCELL_A: 'b', HOTCELL_B: 'c' }],
    ['single quotes are literal', "HOTCELL_A='b\\n#\"c' # note", { HOTCELL_A: 'b\\n#"c' }],
    ['double quotes with escapes', 'HOTCELL_A="b\\"\\n\\\\\\$c"', { HOTCELL_A: 'b"\n\\$c' }],
    ['an unknown escape stays', 'HOTCELL_A="\\q"', { HOTCELL_A: '\\q' }],
    ['several lines in quotes', 'HOTCELL_A="b\nc"\nHOTCELL_B=d', { HOTCELL_A: 'b\nc', HOTCELL_B: 'd' }],
    ['other names are skipped', 'OTHER=1\nHOTCELL_A=b\nmore-things\n:::', { HOTCELL_A: 'b' }],
    ['a name inside the quoted value of another', 'OTHER="x\nHOTCELL_A=evil\n"\nHOTCELL_B=c', { HOTCELL_B: 'c' }],
    ['an open quote of another name ends with its line', "OTHER='x\nHOTCELL_A=b", { HOTCELL_A: 'b' }],
    ['comments', '# HOTCELL_A=b\n   # HOTCELL_B=c', {}],
  ];
  it.each(good)('%s', (_, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  const bad: readonly [string, string, RegExp][] = [
    ['an open quote', 'X=1\nHOTCELL_A="b', /^\.env:2: cannot read HOTCELL_A/],
    ['something after a quote', 'HOTCELL_A="b"c', /^\.env:1: cannot read HOTCELL_A/],
    ['no equals sign', 'HOTCELL_A', /^\.env:1: cannot read this line/],
    ['twice', 'HOTCELL_A=b\nHOTCELL_A=c', /^\.env:2: HOTCELL_A is set twice/],
  ];
  it.each(bad)('refuses %s', (_, text, message) => {
    expect(() => read(text)).toThrow(UsageError);
    expect(() => read(text)).toThrow(message);
  });
});
