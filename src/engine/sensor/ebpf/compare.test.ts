import { describe, expect, it } from 'vitest';
import type { Sighting } from '../contract.ts';
import { compareWitnesses, type DeedCounts, DeedTally } from './compare.ts';

type Deed = Pick<Sighting, 'kind' | 'outcome'>;

function countsOf(...deeds: readonly Deed[]): DeedCounts {
  const tally = new DeedTally();
  for (const deed of deeds) tally.note(deed);
  return tally.counts;
}

const started: Deed = { kind: 'exec', outcome: 'ok' };
const perhaps: Deed = { kind: 'exec', outcome: 'unknown' };
const failed: Deed = { kind: 'exec', outcome: 'failed' };
const connect: Deed = { kind: 'connect' };

describe('compareWitnesses', () => {
  const table: readonly [string, readonly Deed[], readonly Deed[], readonly string[]][] = [
    ['nothing at all', [], [], []],
    ['the same', [started, connect, { kind: 'exit' }], [connect, started, { kind: 'exit' }], []],
    ['what is not compared', [{ kind: 'open' }, { kind: 'fork' }, failed], [], []],
    ['one that does not know, and it was', [perhaps, started], [started, started], []],
    ['one that does not know, and it was not', [perhaps, started], [started], []],
    [
      'one that knows only a part',
      [perhaps],
      [started, started],
      ['programs started: 0 to 1 by the sensor, 2 by the witness'],
    ],
    ['a program that one missed', [started], [], ['programs started: 1 by the sensor, 0 by the witness']],
    ['an end that the other missed', [], [{ kind: 'exit' }], ['processes ended: 0 by the sensor, 1 by the witness']],
    [
      'two things',
      [connect, connect],
      [connect, { kind: 'unlink' }],
      ['connections tried: 2 by the sensor, 1 by the witness', 'removals tried: 0 by the sensor, 1 by the witness'],
    ],
  ];
  it.each(table)('of %s', (_, first, second, expected) => {
    expect(compareWitnesses(countsOf(...first), countsOf(...second))).toEqual(expected);
  });
});
