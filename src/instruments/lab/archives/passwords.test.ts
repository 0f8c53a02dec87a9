import { describe, expect, it } from 'vitest';
import { passwordCandidates } from './passwords.ts';

describe('passwords', () => {
  it('are tried in this order, each once', () => {
    expect(passwordCandidates(['secret', 'virus'], 'dir/sample.tar.gz')).toEqual([
      'secret',
      'virus',
      '',
      'infected',
      'malware',
      'sample.tar.gz',
      'sample.tar',
      'sample',
    ]);
  });

  it.each([[['a\0b']], [['x'.repeat(1_025)]], [Array.from({ length: 65 }, (_, at) => String(at))]])(
    'are refused when they cannot be used',
    (supplied) => {
      expect(() => passwordCandidates(supplied, 'a')).toThrow(/password/);
    },
  );
});
