import { describe, expect, it } from 'vitest';
import { decodeLiteral } from './decode-literals.ts';
import { decompressVba } from './decompress.ts';
import { autoProceduresOf } from './examine-vba.ts';
import { foldStrings } from './fold-strings.ts';

const tick = (): void => undefined;

describe('decompressVba', () => {
  // The examples of the published description of the format.
  it.each([
    [
      'without a match',
      '01 19 B0 00 61 62 63 64 65 66 67 68 00 69 6A 6B 6C 6D 6E 6F 70 00 71 72 73 74 75 76 2E',
      'abcdefghijklmnopqrstuv.',
    ],
    [
      'with matches',
      '01 2F B0 00 23 61 61 61 62 63 64 65 82 66 00 70 61 67 68 69 6A 01 38 08 61 6B 6C 00 30 6D 6E 6F 70 06 71 02 70 04 10 72 73 74 75 76 10 77 78 79 7A 00 3C',
      '#aaabcdefaaaaghijaaaaaklaaamnopqaaaaaaaaaaaarstuvwxyzaaa',
    ],
    ['of one letter', '01 03 B0 02 61 45 00', 'a'.repeat(73)],
  ])('reads data %s', (_what, hex, text) => {
    const { bytes, isWhole } = decompressVba(Buffer.from(hex.replaceAll(' ', ''), 'hex'), 0, tick);
    expect([Buffer.from(bytes).toString(), isWhole]).toEqual([text, true]);
  });

  it.each([
    ['no mark', '00'],
    ['a copy from before the beginning', '0103b00161ff00'],
    ['a chunk without its sign', '01030061616161'],
  ])('refuses %s', (_what, hex) => {
    expect(decompressVba(Buffer.from(hex, 'hex'), 0, tick).isWhole).toBe(false);
  });
});

describe('foldStrings', () => {
  it.each([
    ['x = "a" & "bc"', ['abc']],
    ['x = Chr(72) + Chr$(&H69) & ChrW(33)', ['Hi!']],
    ['Run StrReverse("exe.dmc")', ['cmd.exe']],
    ['x = Replace("pXoXwer", "X", "")', ['power']],
    ['x = Chr(65 Xor 3) & "bcd"', ['Bbcd']],
    ['a = "http" & ":"\nb = a & "//x.example"', ['http:', 'http://x.example']],
    ['a = "one" _\n & "two"', ['onetwo']],
    ['a = "one"\na = a & "two"\na = a & "three"', ['onetwothree']],
    ['a = "known" & other & "tail" & "end"', ['tailend']],
    ['x = "a" \' & "comment"', []],
    ['x = "He said ""no""" & "!"', ['He said "no"!']],
    ['x = String(3, "ab") & Mid("xyz", 2, 1) & Space(1)', ['aaay ']],
    ['x = "only one literal"', []],
  ])('%s', (source, expected) => {
    expect(foldStrings(source, tick).map(({ value }) => value)).toEqual(expected);
  });

  it('does not let a string grow without end', () => {
    const folded = foldStrings(`x = "aaaaaaaa" & "b"\n${'x = x & x\n'.repeat(60)}`, tick);
    expect(Math.max(...folded.map(({ value }) => value.length))).toBeLessThanOrEqual(64 * 1024);
  });
});

describe('decodeLiteral', () => {
  it.each([
    ['636d642e65786520', { how: 'hex', text: 'cmd.exe ' }],
    ['aHR0cDovL2EuZXhhbXBsZS8=', { how: 'base64', text: 'http://a.example/' }],
    ['YwBtAGQAIAAvAGMA', { how: 'base64', text: 'cmd /c' }],
    ['Document', null],
    ['ApplicationObject1', null],
    ['00010203', null],
  ])('%s', (literal, expected) => {
    expect(decodeLiteral(literal)).toEqual(expected);
  });
});

describe('autoProceduresOf', () => {
  it.each([
    ['Sub AutoOpen()', ['AutoOpen']],
    ['Private Sub workbook_open()', ['workbook_open']],
    ['Sub Image1_MouseMove(ByVal x)', ['Image1_MouseMove']],
    ['Sub OpenAll()', []],
    ['x = "Sub AutoOpen()"', []],
  ])('%s', (line, expected) => {
    expect(autoProceduresOf([line])).toEqual(expected);
  });
});
