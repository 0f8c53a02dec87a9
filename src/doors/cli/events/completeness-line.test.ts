import { describe, expect, it } from 'vitest';
import type { Completeness } from '../../../base/event-schema.ts';
import type { RunCompleteness } from '../../../engine/sensor/history/index.ts';
import { describeTerminal } from '../terminal/index.ts';
import { renderCompleteness } from './completeness-line.ts';

const terminal = describeTerminal({ color: 'never', isTerminal: false, columns: undefined, environment: {} });

const sensor = (source: string, change: Partial<Completeness> = {}): Completeness => ({
  source,
  attachedBeforeExec: true,
  received: 5,
  dropped: 0,
  merged: 0,
  truncated: 0,
  missingPoints: [],
  heartbeats: { expected: 2, seen: 2 },
  ...change,
});

const table: readonly [RunCompleteness, string][] = [
  [{ is: 'known', sensors: [sensor('a'), sensor('b')] }, 'complete: a saw 5, b saw 5, nothing lost\n'],
  [
    { is: 'known', sensors: [sensor('seccomp-notify', { dropped: 3 }), sensor('b')] },
    'NOT complete: seccomp-notify dropped 3\n',
  ],
  [
    { is: 'known', sensors: [sensor('a', { attachedBeforeExec: false }), sensor('b', { missingPoints: ['x\u001b'] })] },
    'NOT complete: a was attached after the start; b cannot see x\\x1b\n',
  ],
  [
    { is: 'known', sensors: [sensor('a')], search: { layers: 2 } },
    'NOT complete: the search for canaries left something out (layers 2)\n',
  ],
  [{ is: 'unknown', because: 'no file' }, 'not known whether complete: no file\n'],
];

describe('the line about completeness', () => {
  it.each(table)('%j', (completeness, line) => {
    expect(renderCompleteness(completeness, terminal)).toBe(line);
  });

  it('goes on below itself on a narrow terminal, with its head in colour', () => {
    const colored = describeTerminal({ color: 'always', isTerminal: true, columns: 30, environment: {} });
    const lines = renderCompleteness({ is: 'known', sensors: [sensor('seccomp-notify'), sensor('wire')] }, colored);
    expect(lines).toBe('\u001b[32mcomplete:\u001b[39m seccomp-notify saw\n5, wire saw 5, nothing lost\n');
  });
});
