import { describe, expect, it } from 'vitest';
import { joinPath, nameOf, ProcessBook } from './process-book.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);

describe('joinPath', () => {
  it.each([
    ['/work', '/etc/x', '/etc/x'],
    ['/work', 'a/../b', '/work/a/../b'],
    ['/', 'a', '/a'],
    ['/work', '', '/work'],
    [null, 'a', null],
    ['relative', 'a', null],
    [null, '/a', '/a'],
  ])('puts %j and %j together', (folder, path, expected) => {
    const joined = joinPath(folder === null ? null : bytes(folder), bytes(path));
    expect(joined === null ? null : Buffer.from(joined).toString()).toBe(expected);
  });
});

describe('nameOf', () => {
  it.each([
    ['/usr/bin/node', 'node'],
    ['node', 'node'],
    ['/', ''],
    ['', ''],
  ])('calls %j %j', (path, expected) => {
    expect(nameOf(bytes(path))).toEqual({ text: expected });
  });
});

describe('ProcessBook', () => {
  it('lets a child begin as its parent is', () => {
    const book = new ProcessBook();
    book.add(1, { parent: 0, name: { text: 'sh' }, cwd: bytes('/work'), lastNs: 5n });
    book.fork(2, 1, false);
    book.fork(3, 2, true);
    expect([2, 3].map((pid) => book.describe(pid, 0))).toEqual([
      { pid: 2, parent: 1, name: { text: 'sh' } },
      { pid: 3, parent: 1, name: { text: 'sh' } },
    ]);
    book.changeFolder(2, bytes('/tmp'));
    expect([book.get(1).cwd, book.get(2).cwd]).toEqual([bytes('/work'), Uint8Array.from(bytes('/tmp'))]);
  });

  it('knows nothing of a process that it was not told of', () => {
    expect(new ProcessBook().describe(9, 0)).toEqual({ pid: 9, parent: 0, name: { text: '' } });
  });

  it('does not follow into a folder whose path is too long', () => {
    const book = new ProcessBook();
    book.changeFolder(1, new Uint8Array(5000).fill(47));
    expect(book.get(1).cwd).toBeNull();
  });

  it('has a limit', () => {
    const book = new ProcessBook();
    for (let pid = 0; pid < 65_537; pid += 1) book.get(pid);
    expect([book.has(0), book.has(1), book.has(65_536)]).toEqual([false, true, true]);
  });
});
