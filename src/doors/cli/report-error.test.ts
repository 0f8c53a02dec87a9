import { describe, expect, it } from 'vitest';
import { HostError, TargetError, UsageError } from '../../base/errors.ts';
import { reportError } from './report-error.ts';
import { describeTerminal } from './terminal/index.ts';

const { style } = describeTerminal({ color: 'never', isTerminal: false, columns: undefined, environment: {} });

describe('reportError', () => {
  const table: readonly [string, unknown, number, string][] = [
    ['usage', new UsageError('bad word'), 2, 'hotcell: bad word\n'],
    [
      'usage with a hint',
      new UsageError('bad word', { hint: 'say\n\nthis' }),
      2,
      'hotcell: bad word\n  say\n\n  this\n',
    ],
    ['the target', new TargetError('it crashed'), 3, 'hotcell: it crashed\n'],
    ['the machine', new HostError('no disk'), 5, 'hotcell: no disk\n'],
    [
      'no isolation',
      new HostError('no box', { exitCode: 4, hint: 'see doctor' }),
      4,
      'hotcell: no box\n  see doctor\n',
    ],
    [
      'nobody foresaw it',
      new TypeError('x is not\n a function'),
      5,
      'hotcell: internal error: x is not a function\n  run again with --debug for a stack trace\n',
    ],
    ['not even an error', 'text', 5, 'hotcell: internal error: text\n  run again with --debug for a stack trace\n'],
  ];
  it.each(table)('%s', (_, error, exitCode, text) => {
    expect(reportError(error, style, false)).toEqual({ exitCode, text });
  });

  it('adds the stack when it is asked for', () => {
    expect(reportError(new UsageError('bad word'), style, true).text).toMatch(
      /^hotcell: bad word\nUsageError: bad word\n +at /,
    );
    expect(reportError(new TypeError('odd'), style, true).text).not.toContain('--debug');
  });
});
