import { compare as comparePython, satisfies as satisfiesPython } from '@renovatebot/pep440';
import fc from 'fast-check';
import semver from 'semver';
import { describe, expect, it } from 'vitest';
import type { Affected, RangeEvent } from './advisory.ts';
import { fixedVersion, isAffected } from './ranges.ts';

const npm = (...ranges: readonly (readonly RangeEvent[])[]): Affected => ({
  ecosystem: 'npm',
  name: 'a',
  ranges: ranges.map((events) => ({ type: 'SEMVER', events })),
  versions: [],
});
const pypi = (...ranges: readonly (readonly RangeEvent[])[]): Affected => ({ ...npm(...ranges), ecosystem: 'PyPI' });

describe('a version in a range', () => {
  it.each<[string, Affected, string, string]>([
    ['before the fix', npm([{ introduced: '0' }, { fixed: '1.2.0' }]), '1.1.9', 'yes'],
    ['the fix itself', npm([{ introduced: '0' }, { fixed: '1.2.0' }]), '1.2.0', 'no'],
    ['a pre-release of the fix is before it', npm([{ introduced: '0' }, { fixed: '1.2.0' }]), '1.2.0-rc.1', 'yes'],
    ['a build of the fix is the fix', npm([{ introduced: '0' }, { fixed: '1.2.0' }]), '1.2.0+build.7', 'no'],
    ['before it was introduced', npm([{ introduced: '1.0.0' }, { fixed: '1.2.0' }]), '0.9.0', 'no'],
    ['where it was introduced', npm([{ introduced: '1.0.0' }, { fixed: '1.2.0' }]), '1.0.0', 'yes'],
    ['never fixed', npm([{ introduced: '1.0.0' }]), '99.0.0', 'yes'],
    ['the last affected', npm([{ introduced: '0' }, { lastAffected: '1.2.0' }]), '1.2.0', 'yes'],
    ['behind the last affected', npm([{ introduced: '0' }, { lastAffected: '1.2.0' }]), '1.2.1', 'no'],
    [
      'between two stretches',
      npm([{ introduced: '1.0.0' }, { fixed: '1.1.0' }, { introduced: '2.0.0' }, { fixed: '2.1.0' }]),
      '1.5.0',
      'no',
    ],
    [
      'in the second stretch',
      npm([{ introduced: '1.0.0' }, { fixed: '1.1.0' }, { introduced: '2.0.0' }, { fixed: '2.1.0' }]),
      '2.0.5',
      'yes',
    ],
    [
      'events in any order',
      npm([{ fixed: '2.1.0' }, { introduced: '2.0.0' }, { fixed: '1.1.0' }, { introduced: '1.0.0' }]),
      '2.0.5',
      'yes',
    ],
    ['in a second range', npm([{ introduced: '0' }, { fixed: '1.0.0' }], [{ introduced: '2.0.0' }]), '2.3.4', 'yes'],
    [
      'fixed and introduced at one version',
      npm([{ introduced: '0' }, { fixed: '1.0.0' }, { introduced: '1.0.0' }]),
      '1.0.0',
      'yes',
    ],
    ['above a limit', npm([{ introduced: '0' }, { limit: '1.0.0' }]), '1.0.0', 'no'],
    ['below a limit', npm([{ introduced: '0' }, { limit: '1.0.0' }]), '0.9.9', 'yes'],
    ['no version at all', npm([{ introduced: '0' }, { fixed: '1.0.0' }]), 'latest', 'unknown'],
    ['a range of nonsense', npm([{ introduced: '0' }, { fixed: 'next' }]), '1.0.0', 'unknown'],
    ['no range', npm(), '1.0.0', 'unknown'],
    ['only commits', { ...npm(), ranges: [{ type: 'GIT', events: [{ introduced: '0' }] }] }, '1.0.0', 'unknown'],
    ['listed by name', { ...npm(), versions: ['1.0.0'] }, '1.0.0', 'yes'],
    ['listed in another spelling', { ...pypi(), versions: ['1.0'] }, '1.0.0', 'yes'],
    ['not listed', { ...npm(), versions: ['1.0.0'] }, '1.0.1', 'no'],
    [
      'an ecosystem nobody orders',
      { ...npm([{ introduced: '0' }, { fixed: '1.0.0' }]), ecosystem: 'Go' },
      '0.1.0',
      'unknown',
    ],
    ['Python: a post release of the fix', pypi([{ introduced: '0' }, { fixed: '1.0' }]), '1.0.post1', 'no'],
    ['Python: a release candidate of the fix', pypi([{ introduced: '0' }, { fixed: '1.0' }]), '1.0rc1', 'yes'],
    ['Python: a development release', pypi([{ introduced: '0' }, { fixed: '1.0' }]), '1.0.dev3', 'yes'],
    ['Python: an epoch is above all', pypi([{ introduced: '0' }, { fixed: '2025.1' }]), '1!0.1', 'no'],
    ['Python: numbers, not letters', pypi([{ introduced: '0' }, { fixed: '2025.9.25' }]), '2025.10.1', 'no'],
    [
      'Python: a local version of the last affected',
      pypi([{ introduced: '0' }, { lastAffected: '1.0' }]),
      '1.0+local',
      'no',
    ],
    ['a version of a thousand digits', npm([{ introduced: '0' }]), '1'.repeat(1000), 'unknown'],
  ])('%s', (_, affected, version, answer) => {
    expect(isAffected(affected, version)).toBe(answer);
  });

  it('names the nearest fix above', () => {
    const affected = npm([{ introduced: '1.0.0' }, { fixed: '1.1.0' }, { introduced: '2.0.0' }, { fixed: '2.1.0' }]);
    expect([fixedVersion(affected, '1.0.5'), fixedVersion(affected, '2.0.0'), fixedVersion(affected, '3.0.0')]).toEqual(
      ['1.1.0', '2.1.0', undefined],
    );
  });
});

const part = fc.nat({ max: 4 });
const release = fc.tuple(part, part, part).map((parts) => parts.join('.'));
const npmVersion = fc
  .tuple(release, fc.option(fc.constantFrom('alpha', 'rc.1', 'rc.2', '0')))
  .map(([text, pre]) => (pre === null ? text : `${text}-${pre}`));
const pythonVersion = fc
  .tuple(fc.array(part, { minLength: 1, maxLength: 3 }), fc.constantFrom('', 'a1', 'rc2', '.post1', '.dev2'))
  .map(([parts, tail]) => parts.join('.') + tail);

describe('compared with the libraries of the ecosystems', () => {
  it('says the same as semver about every stretch', () => {
    const stretches = fc
      .uniqueArray(npmVersion, { minLength: 2, maxLength: 6, comparator: (a, b) => semver.eq(a, b) })
      .map((list) => semver.sort([...list]));
    fc.assert(
      fc.property(stretches, npmVersion, fc.boolean(), (points, version, isLast) => {
        const events: RangeEvent[] = [];
        const wanted: string[] = [];
        for (let at = 0; at < points.length; at += 2) {
          const [from = '0.0.0', to] = [points[at], points[at + 1]];
          events.push({ introduced: from });
          if (to !== undefined) events.push(isLast ? { lastAffected: to } : { fixed: to });
          wanted.push(to === undefined ? `>=${from}` : `>=${from} ${isLast ? '<=' : '<'}${to}`);
        }
        const isIn = wanted.some((range) => semver.satisfies(version, range, { includePrerelease: true }));
        expect(isAffected(npm(events), version)).toBe(isIn ? 'yes' : 'no');
      }),
      { numRuns: 3000 },
    );
  });

  it('says the same as PEP 440 about every stretch', () => {
    fc.assert(
      fc.property(pythonVersion, pythonVersion, pythonVersion, (one, two, version) => {
        fc.pre(comparePython(one, two) !== 0 && one !== '0' && two !== '0');
        const [from, to] = comparePython(one, two) < 0 ? [one, two] : [two, one];
        // `<` of a specifier leaves out pre-releases of its own version, which an advisory does not: order decides.
        const isIn = comparePython(version, from) >= 0 && comparePython(version, to) < 0;
        expect(isAffected(pypi([{ introduced: from }, { fixed: to }]), version)).toBe(isIn ? 'yes' : 'no');
        if (isIn) expect(satisfiesPython(version, `>=${from}`, { prereleases: true })).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it('does not depend on the order of events', () => {
    const events = fc.array(
      fc.oneof(
        npmVersion.map((introduced) => ({ introduced })),
        npmVersion.map((fixed) => ({ fixed })),
        npmVersion.map((lastAffected) => ({ lastAffected })),
      ),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(events, npmVersion, (list, version) => {
        expect(isAffected(npm([...list].reverse()), version)).toBe(isAffected(npm(list), version));
      }),
      { numRuns: 1000 },
    );
  });
});
