import { describe, expect, it } from 'vitest';
import { withoutSecrets } from './start-entry.ts';

const hash = (secret: string | Uint8Array): string => `<${String(secret).length}>`;

describe('withoutSecrets', () => {
  it.each([
    [
      ['node', 'server.js', '-p', '3000'],
      ['node', 'server.js', '-p', '3000'],
    ],
    [
      ['s', '--token=abc'],
      ['s', '--token=secret:<3>'],
    ],
    [
      ['s', '--api-key', 'abc', 'x'],
      ['s', '--api-key', 'secret:<3>', 'x'],
    ],
    [
      ['s', '--auth', '--verbose', 'x'],
      ['s', '--auth', '--verbose', 'x'],
    ],
    [
      ['s', 'postgres://me:pw@db/x'],
      ['s', 'secret:<21>'],
    ],
    [
      ['s', 'ghp_0123456789abcdef'],
      ['s', 'secret:<20>'],
    ],
    [
      ['s', '0123456789abcdef0123456789abcdef'],
      ['s', 'secret:<32>'],
    ],
    [['/a/very/long/path/to/node/version24/bin/node'], ['/a/very/long/path/to/node/version24/bin/node']],
    [
      ['s', '\x1b[2J'],
      ['s', '\\x1b[2J'],
    ],
  ])('%j', (argv, expected) => {
    expect(withoutSecrets(argv, hash)).toEqual(expected);
  });

  it('is bounded', () => {
    expect(
      withoutSecrets(
        Array.from({ length: 1000 }, () => 'x'),
        hash,
      ),
    ).toHaveLength(101);
  });
});
