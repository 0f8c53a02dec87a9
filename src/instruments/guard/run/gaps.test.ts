import { describe, expect, it } from 'vitest';
import type { Policy } from '../../../base/policy-schema.ts';
import type { BoxRecord } from '../../../engine/box/index.ts';
import { type Gap, tierPolicy } from '../../../engine/policy/index.ts';
import { describeRefusal, judgeGaps } from './gaps.ts';

const open: Gap = { id: 'identity', path: 'files', what: 'names are those of the host', effect: 'open' };
const closed: Gap = { id: 'file-times', path: 'files', what: 'setting times is refused', effect: 'closed' };

function record(changes: Partial<BoxRecord>): BoxRecord {
  return {
    id: 'b',
    backend: 'landlock',
    policy: 'LOW',
    fingerprint: 'f',
    limitsInForce: [],
    gaps: [],
    selfCheck: [],
    watchedBy: null,
    isOnNetwork: false,
    passedOver: [],
    ...changes,
  };
}

const cases: readonly [
  what: string,
  policy: Policy,
  record: BoxRecord,
  allowed: readonly string[],
  refused: readonly string[],
][] = [
  ['nothing', tierPolicy('LOW'), record({}), [], []],
  ['weaker than asked', tierPolicy('LOW'), record({ gaps: [open] }), [], ['identity']],
  ['stricter than asked', tierPolicy('LOW'), record({ gaps: [closed] }), [], []],
  ['weaker, and accepted', tierPolicy('LOW'), record({ gaps: [open] }), ['identity'], []],
  ['another one accepted', tierPolicy('LOW'), record({ gaps: [open] }), ['identity-x', 'file-times'], ['identity']],
  ['a network that is not there', tierPolicy('MEDIUM'), record({}), [], ['network-closed']],
  ['a network that is there', tierPolicy('MEDIUM'), record({ isOnNetwork: true }), [], []],
  [
    'an empty list of hosts',
    { ...tierPolicy('MEDIUM'), network: { mode: 'allowlist', rules: [] } },
    record({}),
    [],
    [],
  ],
  [
    'a share of cores that nobody keeps',
    tierPolicy('LOW'),
    record({ limitsInForce: [{ limit: 'cpuCores', value: 1, by: 'none' }] }),
    [],
    ['cpu-share'],
  ],
  [
    'limits that are kept, if late',
    tierPolicy('LOW'),
    record({ limitsInForce: [{ limit: 'memoryBytes', value: 1, by: 'watchdog' }] }),
    [],
    [],
  ],
  [
    'what a box needs for its own proof',
    tierPolicy('LOW'),
    record({ gaps: [{ ...open, id: 'airlock-interpreter' }] }),
    [],
    [],
  ],
  [
    'two gaps of one name are one',
    tierPolicy('LOW'),
    record({ gaps: [open, { ...open, path: 'other' }] }),
    [],
    ['identity'],
  ],
];

describe('judgeGaps', () => {
  it.each(cases)('%s', (_, policy, made, allowed, refused) => {
    expect(judgeGaps(policy, made, allowed).refused.map(({ id }) => id)).toEqual(refused);
  });

  it('says which were accepted', () => {
    expect(judgeGaps(tierPolicy('LOW'), record({ gaps: [open] }), ['identity']).accepted).toEqual([open]);
  });

  it('says what is missing and how to go on without', () => {
    const { message, hint } = describeRefusal('landlock', [open]);
    expect(message).toContain('identity (names are those of the host)');
    expect(hint).toContain('--allow-gap identity');
  });
});
