import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makePaths, pointsOutside } from './safe-path.ts';

const cases: readonly [name: string, path: string][] = [
  ['a.txt', 'a.txt'],
  ['foo..txt', 'foo..txt'],
  ['..foo', '..foo'],
  ['d/e/f', 'd/e/f'],
  ['../../up', 'up'],
  ['a/../../b', 'a/b'],
  ['/etc/passwd', 'etc/passwd'],
  ['//server/share', 'server/share'],
  ['C:\\Windows\\x.exe', 'Windows/x.exe'],
  ['c:/x', 'x'],
  ['a\\..\\b', 'a/b'],
  ['./a/./b', 'a/b'],
  ['..', 'unnamed'],
  ['', 'unnamed'],
  ['con.txt', '_con.txt'],
  ['LPT1', '_LPT1'],
  ['console', 'console'],
  ['a\nb\0c', 'a_b_c'],
  ['gpj.\u202eexe', 'gpj._exe'],
  ['-rf', '_-rf'],
  ['~root', '_~root'],
  ['trail. ', 'trail__'],
  ['a:b', 'a_b'],
];

describe('safe paths', () => {
  it.each(cases)('%j becomes %j', (name, path) => {
    expect(makePaths().make(name).path).toBe(path);
  });

  it('gives each entry a path of its own, by counting', () => {
    const { make } = makePaths();
    const names = ['x.txt', 'x.txt', 'X.TXT', '\u00e9', 'e\u0301', 'file', 'file/inner', 'dir/inner', 'dir'];
    expect(names.map((name) => make(name).path)).toEqual([
      'x.txt',
      'x~2.txt',
      'X~3.TXT',
      '\u00e9',
      '\u00e9~2',
      'file',
      'file~2/inner',
      'dir/inner',
      'dir~2',
    ]);
  });

  it('shortens long names and keeps their ending and their difference', () => {
    const { make } = makePaths();
    const one = make(`${'y'.repeat(400)}1.exe`).path;
    const other = make(`${'y'.repeat(400)}2.exe`).path;
    expect(one).not.toBe(other);
    expect(one).toMatch(/^y+~[0-9a-f]{16}\.exe$/);
    expect(Buffer.byteLength(one)).toBeLessThanOrEqual(120);
    expect(make(`${'d/'.repeat(500)}f`).path.split('/').length).toBeLessThanOrEqual(32);
  });

  it('says which names point outside', () => {
    expect(['../a', '/a', 'C:\\a', 'a\\..\\b', 'c:a'].map(pointsOutside)).toEqual([true, true, true, true, true]);
    expect(['a..b', 'foo..txt', '...', 'a/b', './a'].map(pointsOutside)).toEqual([false, false, false, false, false]);
  });

  it('keeps any names inside, printable and apart', () => {
    const part = fc.oneof(
      fc.constantFrom('..', '.', '', 'a', 'A', 'con', 'a~2', '\\', 'C:'),
      fc.string({ unit: 'binary' }),
    );
    const name = fc.array(part, { maxLength: 6 }).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(fc.array(name, { maxLength: 30 }), (names) => {
        const { make } = makePaths();
        const paths = names.map((each) => make(each).path);
        expect(new Set(paths.map((path) => path.normalize('NFKC').toLowerCase())).size).toBe(paths.length);
        for (const path of paths) {
          expect(path).not.toMatch(/^[/~-]|[\p{Cc}\\:]|(?:^|\/)\.{1,2}(?:\/|$)|\/\/|\/$|^$/u);
          expect(Buffer.byteLength(path)).toBeLessThanOrEqual(1_200);
        }
      }),
    );
  });
});
