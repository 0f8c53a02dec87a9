import { describe, expect, it } from 'vitest';
import type { Kind } from '../../contract.ts';
import { chooseAnalysers, type Wish } from './choose.ts';
import type { AnalyserEntry } from './contract.ts';

const entry = (id: string, rest: Partial<AnalyserEntry> = {}): AnalyserEntry => ({
  id,
  title: id,
  version: 1,
  kinds: 'any',
  depth: 'quick',
  timeoutMs: 1,
  ...rest,
});
const entries = [
  entry('any'),
  entry('pdf', { kinds: ['pdf'] }),
  entry('zip', { kinds: ['zip'] }),
  entry('deep', { depth: 'deep' }),
];
const pdf: Kind = { id: 'pdf', title: 'PDF', mime: 'application/pdf' };

describe('chooseAnalysers', () => {
  const rows: readonly (readonly [string, Wish, readonly string[]])[] = [
    ['by kind and depth', { kind: pdf, depth: 'quick' }, ['any', 'pdf']],
    ['all depths up to the asked one', { kind: pdf, depth: 'deep' }, ['any', 'pdf', 'deep']],
    ['the second kind counts', { kind: { ...pdf, also: ['zip'] }, depth: 'quick' }, ['any', 'pdf', 'zip']],
    ['what is named runs at any depth', { kind: pdf, depth: 'quick', only: ['deep'] }, ['deep']],
    ['but not on another kind', { kind: pdf, depth: 'quick', only: ['zip'] }, []],
  ];
  it.each(rows)('%s', (_, wish, expected) => {
    const { chosen, skipped } = chooseAnalysers(entries, wish);
    expect(chosen.map(({ id }) => id)).toEqual(expected);
    expect(skipped).toHaveLength(entries.length - expected.length);
  });

  it('gives the reason', () => {
    const { skipped } = chooseAnalysers(entries, { kind: pdf, depth: 'standard', only: ['zip', 'x'] });
    expect(skipped).toEqual([
      { analyser: 'any', because: 'not asked for' },
      { analyser: 'pdf', because: 'not asked for' },
      { analyser: 'zip', because: 'is for zip' },
      { analyser: 'deep', because: 'not asked for' },
      { analyser: 'x', because: 'no such analyser' },
    ]);
  });
});
