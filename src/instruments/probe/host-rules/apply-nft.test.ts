import { describe, expect, it } from 'vitest';
import { HostError } from '../../../base/errors.ts';
import { faultsOfListing } from './apply-nft.ts';
import { nftChains, nftHooks } from './nft.ts';
import { planHostRules } from './plan.ts';
import { sampleOptions, sampleReach } from './sample-rules.ts';

const plan = planHostRules(sampleReach, sampleOptions);

type Entry = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** As `nft -j list table` lists what the plan sets. */
const whole: readonly Entry[] = [
  { metainfo: { version: '1.0.6', json_schema_version: 1 } },
  ...Object.keys(nftChains(plan)).map((name) => {
    const hook = nftHooks.find((each) => each === name);
    return { chain: hook === undefined ? { name } : { name, type: 'filter', hook, prio: -10, policy: 'accept' } };
  }),
  ...Object.entries(nftChains(plan)).flatMap(([chain, rules]) =>
    rules.map((rule) => ({ rule: { chain, expr: [rule.includes(' drop ') ? { drop: null } : { accept: null }] } })),
  ),
];

const listing = (entries: readonly Entry[]): string => JSON.stringify({ nftables: entries });
const changed = (change: (entry: Entry) => readonly Entry[]): string => listing(whole.flatMap(change));

describe('rules that are read back from nft', () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ['whole', listing(whole), []],
    [
      'without a hook',
      changed((entry) => (entry.chain?.name === 'input' ? [{ chain: { name: 'input' } }] : [entry])),
      ['nothing of it is asked at input'],
    ],
    [
      'at another place',
      changed((entry) => (entry.chain?.name === 'forward' ? [{ chain: { ...entry.chain, prio: 300 } }] : [entry])),
      ['nothing of it is asked at forward'],
    ],
    [
      'without a rule',
      listing(
        whole.toSpliced(
          whole.findIndex(({ rule }) => rule?.chain === 'confined'),
          1,
        ),
      ),
      ['rules of confined are missing'],
    ],
    [
      'without the drop',
      changed((entry) => (entry.rule?.chain === 'refused' ? [{ rule: { chain: 'refused', expr: [] } }] : [entry])),
      ['what is refused is not dropped'],
    ],
  ];
  it.each(cases)('are %s', (_, text, faults) => {
    expect(faultsOfListing(text, plan)).toEqual(faults);
  });

  it.each(['', '[]', '{"nftables":[1]}', 'table inet x {}'])('are not taken for whole when nft says %j', (text) => {
    expect(() => faultsOfListing(text, plan)).toThrow(HostError);
  });
});
