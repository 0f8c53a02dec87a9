import { describe, expect, it } from 'vitest';
import { tiers } from '../../../base/policy-schema.ts';
import { tierPolicy } from '../tiers.ts';
import { samplePlace } from './sample-place.ts';
import { compileSeatbelt } from './seatbelt.ts';

/** Reads a profile as the nested lists it is made of; fails on a parenthesis or a quote too many. */
function readLists(text: string): unknown[] {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[()]|[^\s()"]+/g) ?? [];
  const top: unknown[] = [];
  const open: unknown[][] = [top];
  for (const token of tokens) {
    if (token === '(') open.push([]);
    else if (token === ')') {
      const done = open.pop();
      open.at(-1)?.push(done);
    } else open.at(-1)?.push(token);
  }
  expect(open).toHaveLength(1);
  return top;
}

describe('compileSeatbelt', () => {
  it.each(tiers)('%s is a well-formed profile that denies by default', (tier) => {
    const { value, gaps } = compileSeatbelt(tierPolicy(tier), samplePlace());
    expect(readLists(value).slice(0, 2)).toEqual([
      ['version', '1'],
      ['deny', 'default'],
    ]);
    expect(gaps.map(({ id }) => id)).toEqual(expect.arrayContaining(['syscalls', 'cpu-share', 'identity']));
  });

  it('writes only to the folders of the box', () => {
    const { hostFolders } = samplePlace();
    const lists = readLists(compileSeatbelt(tierPolicy('LOW'), samplePlace()).value);
    const writing = lists.find((list) => Array.isArray(list) && list[1] === 'file-write*');
    expect(writing).toEqual([
      'allow',
      'file-write*',
      ['subpath', `"${hostFolders.home}"`],
      ['subpath', `"${hostFolders.tmp}"`],
    ]);
  });

  it('escapes what a path may hold', () => {
    const policy = tierPolicy('LOW');
    policy.files.push({ path: '/a"b\\c)', access: 'read' });
    const text = compileSeatbelt(policy, samplePlace()).value;
    expect(text).toContain('(subpath "/a\\"b\\\\c)")');
    readLists(text);
  });

  it('knows ports but no names', () => {
    const high = compileSeatbelt(tierPolicy('HIGH'), samplePlace());
    expect(high.value).toContain('(remote tcp "*:443")');
    const medium = compileSeatbelt(tierPolicy('MEDIUM'), samplePlace());
    expect(medium.value).not.toContain('network-outbound');
    expect(medium.gaps.filter(({ id }) => id === 'network-by-name')).toHaveLength(3);
    expect(medium.gaps.filter(({ id }) => id === 'network-by-name').every(({ effect }) => effect === 'closed')).toBe(
      true,
    );
  });
});
