import { describe, expect, it } from 'vitest';
import { backendIds } from '../../../src/engine/box/index.ts';
import type { Attempt } from './attempt.ts';
import type { Cell } from './judge.ts';
import { readMatrix, renderMatrix } from './matrix.ts';

const attempts: readonly Attempt[] = ['read-one', 'read-two', 'network-three'].map((id) => ({
  id,
  group: id.split('-')[0] ?? '',
  what: `tries ${id}`,
  file: '',
  options: {},
}));

function allCells(cell: Cell): ReadonlyMap<string, Cell> {
  return new Map(attempts.map(({ id }) => [id, cell]));
}

describe('the table', () => {
  it('reads back what was written', () => {
    const results = new Map(backendIds.map((backend) => [backend, allCells({ is: 'contained', because: 'EPERM' })]));
    expect(readMatrix(renderMatrix(attempts, results))).toEqual({
      attempts: ['read-one: tries read-one', 'read-two: tries read-two', 'network-three: tries network-three'],
      backends: backendIds,
      cells: Array.from({ length: attempts.length * backendIds.length }, () => 'contained'),
    });
  });

  it('numbers each reason once', () => {
    const results = new Map([
      ['landlock' as const, allCells({ is: 'not-applicable', because: 'there is no such namespace' })],
      ['gvisor' as const, allCells({ is: 'contained', because: "the box's own kernel answered" })],
    ]);
    const text = renderMatrix(attempts, results);
    expect(text.match(/there is no such namespace/g)).toHaveLength(1);
    expect(readMatrix(text).cells).toContain('n.a. (1)');
    expect(readMatrix(text).cells).toContain('own kernel');
    expect(readMatrix(text).cells).toContain('not run');
  });

  it('shows an escape as one', () => {
    const results = new Map([['runc' as const, allCells({ is: 'escaped', because: 'it wrote' })]]);
    expect(readMatrix(renderMatrix(attempts, results)).cells).toContain('escaped');
  });
});
