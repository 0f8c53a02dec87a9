import { describe, expect, it } from 'vitest';
import { UsageError } from '../../base/errors.ts';
import { checkExec, checkPath } from './checks.ts';
import { readShellCode } from './signals.ts';

describe('what is asked for', () => {
  it.each([
    { timeoutMs: 0 },
    { timeoutMs: 3_000_000_000 },
    { timeoutMs: 1, maxOutputBytes: -1 },
    { timeoutMs: 1, cwd: 'here' },
  ])('is refused: %j', (options) => {
    expect(() => checkExec(options)).toThrow(UsageError);
  });

  it.each([{ 'A B': '' }, { '': '' }, { 'A=B': '' }, { A: '\0' }, { '1A': '' }])(
    'is refused as a variable: %j',
    (environment) => {
      expect(() => checkExec({ timeoutMs: 1, environment })).toThrow(UsageError);
    },
  );

  it('has a limit for output when none is given', () => {
    expect(checkExec({ timeoutMs: 1, environment: { A: 'b' } })).toEqual({
      maxOutputBytes: 10 * 1024 * 1024,
      environment: ['A=b'],
    });
  });

  it.each(['', 'a', './a', 'a\0', '/a\0', `/${'x'.repeat(5000)}`])('is refused as a path: %j', (path) => {
    expect(() => checkPath(path)).toThrow(UsageError);
  });
});

describe('the code of a shell', () => {
  it.each([
    [0, 0, null],
    [129, 129, null],
    [137, null, 'SIGKILL'],
    [139, null, 'SIGSEGV'],
    [143, null, 'SIGTERM'],
    [255, 255, null],
  ])('%d', (given, code, signal) => {
    expect(readShellCode(given)).toEqual({ code, signal });
  });
});
