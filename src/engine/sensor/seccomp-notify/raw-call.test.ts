import { describe, expect, it } from 'vitest';
import { joinPath } from './raw-call.ts';

describe('joinPath', () => {
  it.each([
    ['/w', 'a', '/w/a'],
    ['/', 'a', '/a'],
    ['/w', './a', '/w/a'],
    ['/w', '././/a', '/w/a'],
    ['/w', '../a', '/w/../a'],
    ['/w', '.a', '/w/.a'],
    ['/w', 'a/./b', '/w/a/./b'],
    ['/w', '.', '/w/.'],
  ])('%s + %s', (folder, path, expected) => {
    expect(joinPath(Buffer.from(folder), Buffer.from(path)).toString()).toBe(expected);
  });
});
