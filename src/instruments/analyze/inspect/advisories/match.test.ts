import { describe, expect, it } from 'vitest';
import type { Component } from '../sbom/index.ts';
import type { Advisory } from './advisory.ts';
import { combineMatches } from './combine.ts';
import { matchAdvisory } from './match.ts';

const component = (name: string, version: string | undefined, ecosystem: 'npm' | 'pypi' = 'npm'): Component => ({
  purl: `pkg:${ecosystem}/${name}@${version ?? ''}`,
  ecosystem,
  name,
  version,
  range: undefined,
  hashes: [],
  licences: [],
  isDevelopment: false,
  isOptional: false,
  origin: undefined,
  dependsOn: [],
});

const advisory = (id: string, more: Partial<Advisory> = {}, name = 'a', ecosystem = 'npm'): Advisory => ({
  id,
  aliases: [],
  kind: 'vulnerability',
  summary: id,
  severity: 'high',
  score: undefined,
  cwe: [],
  affected: [
    { ecosystem, name, ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '2.0.0' }] }], versions: [] },
  ],
  withdrawn: undefined,
  modified: undefined,
  references: [],
  provenance: 'test',
  ...more,
});

describe('a package and an advisory', () => {
  it.each<[string, Component, Advisory, string | undefined]>([
    ['match', component('a', '1.0.0'), advisory('A'), 'yes'],
    ['do not when it is fixed', component('a', '2.0.0'), advisory('A'), undefined],
    [
      'do not when it was withdrawn',
      component('a', '1.0.0'),
      advisory('A', { withdrawn: '2025-01-01T00:00:00Z' }),
      undefined,
    ],
    ['do not when it is about another package', component('b', '1.0.0'), advisory('A'), undefined],
    ['do not across ecosystems', component('a', '1.0.0', 'pypi'), advisory('A'), undefined],
    [
      'match whatever way a Python name is written',
      component('My.Pkg', '1.0', 'pypi'),
      advisory('A', {}, 'my_pkg', 'PyPI'),
      'yes',
    ],
    ['do not for npm names that differ in case', component('A', '1.0.0'), advisory('A'), undefined],
    ['are undecided without a version', component('a', undefined), advisory('A'), 'unknown'],
  ])('%s', (_, one, other, answer) => {
    expect(matchAdvisory(one, other, 'test')?.answer).toBe(answer);
  });
});

describe('several matches', () => {
  const match = (id: string, source: string, more: Partial<Advisory> = {}, version = '1.0.0') => {
    const found = matchAdvisory(component('a', version), advisory(id, more), source);
    if (found === undefined) throw new Error('no match');
    return found;
  };

  it('that share a name are one, also when only a third shows it', () => {
    const combined = combineMatches([
      match('CVE-1', 'x'),
      match('GHSA-1', 'y'),
      match('OSV-1', 'z', { aliases: ['CVE-1', 'GHSA-1'], severity: 'critical' }),
    ]);
    expect(combined.map(({ ids, sources, advisory: { severity } }) => [ids, sources, severity])).toEqual([
      [['CVE-1', 'GHSA-1', 'OSV-1'], ['x', 'y', 'z'], 'critical'],
    ]);
  });

  it('of different things stay apart, in a fixed order', () => {
    const forward = combineMatches([match('B', 'x'), match('A', 'x')]);
    expect(forward.map(({ ids }) => ids)).toEqual([['A'], ['B']]);
    expect(combineMatches([match('A', 'x'), match('B', 'x')])).toEqual(forward);
  });
});
