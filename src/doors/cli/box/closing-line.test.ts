import { describe, expect, it } from 'vitest';
import type { BoxRecord, ExitStatus } from '../../../engine/box/contract.ts';
import { describeTerminal } from '../terminal/index.ts';
import { renderClosingLine } from './closing-line.ts';

const terminal = describeTerminal({ color: 'never', isTerminal: false, columns: undefined, environment: {} });

const record: BoxRecord = {
  id: 'b',
  backend: 'bwrap',
  policy: 'LOW',
  fingerprint: 'f',
  limitsInForce: [
    { limit: 'memoryBytes', value: 256 * 1024 * 1024, by: 'cgroup-v1' },
    { limit: 'processes', value: 1, by: 'cgroup-v1' },
    { limit: 'cpuCores', value: 0.5, by: 'cgroup-v1' },
    { limit: 'wallMs', value: 300_000, by: 'watchdog' },
  ],
  gaps: [],
  selfCheck: [],
  watchedBy: null,
  isOnNetwork: false,
  passedOver: [],
};

const status: ExitStatus = {
  code: 0,
  signal: null,
  wallMs: 123.4,
  peakMemoryBytes: 3 * 1024 * 1024,
  limitsHit: [],
  droppedOutputBytes: 0,
};

const render = (changes: Partial<BoxRecord>, ended: Partial<ExitStatus>): string =>
  renderClosingLine({ ...record, ...changes }, { ...status, ...ended }, terminal);

describe('renderClosingLine', () => {
  it('is one line with backend, limits, time, memory and what was hit', () => {
    expect(render({}, {})).toBe(
      'hotcell: bwrap, LOW | 256 MiB memory, 1 process, 0.5 cores, 5 min | ran 123 ms, peak 3 MiB | no limit hit\n',
    );
  });

  const table: readonly [string, Partial<BoxRecord>, Partial<ExitStatus>, RegExp][] = [
    [
      'a limit that nobody keeps',
      { limitsInForce: [{ limit: 'cpuCores', value: 1, by: 'none' }] },
      {},
      /not limited: cpuCores/,
    ],
    [
      'a limit that was hit',
      {},
      { limitsHit: [{ limit: 'wallMs', detail: 'still running' }] },
      /hit wallMs: still running/,
    ],
    ['dropped output', {}, { droppedOutputBytes: 2048 }, /2 KiB of output dropped/],
    ['unknown memory', {}, { peakMemoryBytes: null }, /peak memory unknown/],
    [
      'stronger backends',
      { passedOver: [{ backend: 'gvisor', because: 'x' }] },
      {},
      /passed over: gvisor \(hotcell doctor says why\)/,
    ],
    [
      'what is weaker than asked, once',
      {
        gaps: [
          { id: 'a', path: '', what: '', effect: 'open' },
          { id: 'a', path: '', what: '', effect: 'open' },
          { id: 'b', path: '', what: '', effect: 'closed' },
        ],
      },
      {},
      /weaker than asked: a\n$/,
    ],
    ['a name that would steer the terminal', { policy: 'x\u001b[2J\ny' }, {}, /^hotcell: bwrap, x\\x1b\[2J\\x0ay \|/],
  ];
  it.each(table)('tells of %s', (_, changes, ended, expected) => {
    const line = render(changes, ended);
    expect(line).toMatch(expected);
    expect(line.split('\n')).toHaveLength(2);
  });
});
