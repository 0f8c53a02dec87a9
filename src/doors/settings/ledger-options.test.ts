import { describe, expect, it } from 'vitest';
import { isCopyList, ledgerOptions } from './ledger-options.ts';

describe('copies of checkpoints', () => {
  it.each([
    ['none', []],
    ['', []],
    ['file:/var/log/checkpoints', [{ to: 'file', path: '/var/log/checkpoints' }]],
    ['syslog', [{ to: 'syslog' }]],
    ['syslog:/run/log.sock', [{ to: 'syslog', socket: '/run/log.sock' }]],
    ['https://witness.example/add', [{ to: 'url', url: 'https://witness.example/add' }]],
    [
      'stderr, file:/a b',
      [
        { to: 'stream', stream: process.stderr },
        { to: 'file', path: '/a b' },
      ],
    ],
  ])('%j are understood', (text, copies) => {
    expect(isCopyList(text)).toBe(true);
    expect(ledgerOptions({ home: '/home/me/.hotcell', checkpointCopies: text })).toEqual({
      folder: '/home/me/.hotcell/ledger',
      copies,
    });
  });

  it.each(['file:relative', 'stdout', 'ftp://a/b', 'https://', 'syslog:x', 'file:/a,nonsense', 7, null])(
    '%j are not',
    (value) => {
      expect(isCopyList(value)).toBe(false);
    },
  );
});
