import { describe, expect, it } from 'vitest';
import type { FileRule, Policy } from '../../../base/policy-schema.ts';
import { tierPolicy } from '../tiers.ts';
import { compileLandlock } from './landlock.ts';
import { nameRights, rightsOf } from './landlock-rights.ts';
import type { PathFact, Place } from './place.ts';
import { samplePlace } from './sample-place.ts';

const newest = 7;
const fileOnly = 0b1100_0000_0000_0111n;

function compileAt(abi: number, policy: Policy = tierPolicy('LOW'), overrides: Partial<Place> = {}) {
  return compileLandlock(policy, samplePlace({ landlockAbi: abi, ...overrides }));
}

describe('the rights by version', () => {
  it.each([
    [1, 0x1fffn, 0n, 0n],
    [2, 0x3fffn, 0n, 0n],
    [3, 0x7fffn, 0n, 0n],
    [4, 0x7fffn, 3n, 0n],
    [5, 0xffffn, 3n, 0n],
    [6, 0xffffn, 3n, 3n],
    [7, 0xffffn, 3n, 3n],
    [99, 0xffffn, 3n, 3n],
  ])('ABI %i', (abi, handledFs, handledNet, scoped) => {
    expect(compileAt(abi).value).toMatchObject({ abi: Math.min(abi, newest), handledFs, handledNet, scoped });
  });

  it.each([1, 2, 3, 4, 5, 6, 7])('ABI %i: every rule asks only for what is handled', (abi) => {
    for (const tier of ['LOW', 'CRITICAL'] as const) {
      const { handledFs, paths } = compileAt(abi, tierPolicy(tier)).value;
      expect(paths.filter(({ access }) => (access & ~handledFs) !== 0n || access === 0n)).toEqual([]);
    }
  });

  it('never lets a device be made', () => {
    const all = rightsOf({ read: true, write: true, execute: true }, 'folder', newest);
    expect(nameRights(all)).not.toContain('makeCharacterDevice');
    expect(nameRights(all)).not.toContain('makeBlockDevice');
    expect(nameRights(all)).not.toContain('deviceControl');
  });

  it('gives a file no right of folders', () => {
    const all = { read: true, write: true, execute: true };
    for (const type of ['file', 'other'] as const) expect(rightsOf(all, type, newest) & ~fileOnly).toBe(0n);
  });
});

describe('the rules', () => {
  const folders: Record<string, PathFact> = { '/usr': { type: 'folder' } };
  function rulesFor(
    rules: [FileRule['access'], string][],
    facts: Record<string, PathFact>,
  ): Map<string, readonly string[]> {
    const files = [['execute', '/usr'] as const, ...rules].map(([access, path]) => ({ access, path }));
    const overrides = { pathFacts: new Map(Object.entries({ ...folders, ...facts })) };
    const { value } = compileAt(newest, { ...tierPolicy('LOW'), files }, overrides);
    return new Map(value.paths.map(({ path, access }) => [path, nameRights(access)]));
  }

  it('keeps read, write and execute apart', () => {
    const facts: Record<string, PathFact> = {
      '/r': { type: 'folder' },
      '/w': { type: 'folder' },
      '/x': { type: 'folder' },
      '/f': { type: 'file' },
    };
    const rules = rulesFor(
      [
        ['read', '/r'],
        ['write', '/w'],
        ['execute', '/x'],
        ['write', '/f'],
      ],
      facts,
    );
    expect(rules.get('/r')).toEqual(['readFile', 'readFolder']);
    expect(rules.get('/x')).toEqual(['execute', 'readFile', 'readFolder']);
    expect(rules.get('/w')).toEqual(
      expect.arrayContaining(['writeFile', 'makeFile', 'removeFile', 'refer', 'truncate']),
    );
    expect(rules.get('/w')).not.toContain('execute');
    expect(rules.get('/f')).toEqual(['writeFile', 'readFile', 'truncate']);
  });

  it('uses real paths, and leaves out what is missing or adds nothing', () => {
    const rules = rulesFor(
      [
        ['execute', '/bin'],
        ['read', '/missing'],
        ['read', '/usr/share'],
      ],
      {
        '/bin': { type: 'link', target: 'usr/bin', resolved: '/usr/bin', resolvedType: 'folder' },
        '/usr/share': { type: 'folder' },
      },
    );
    expect(['/bin', '/usr/bin', '/missing', '/usr/share'].filter((path) => rules.has(path))).toEqual([]);
  });

  it('gives every box the harmless devices, facts about the machine and the airlock', () => {
    const rules = rulesFor([], {});
    expect(rules.get('/dev/null')).toEqual(['writeFile', 'readFile', 'truncate']);
    expect(rules.get('/dev/urandom')).toEqual(['readFile']);
    expect(rules.get('/proc/meminfo')).toEqual(['readFile']);
    expect(rules.get('/proc/sys/kernel')).toEqual(['readFile', 'readFolder']);
    // Neither the processes of the host nor its sockets.
    expect(rules.has('/proc')).toBe(false);
    expect(rules.has('/proc/net')).toBe(false);
    expect(rules.get(samplePlace().airlock.script)).toEqual(['readFile']);
    expect(rules.has('/dev')).toBe(false);
    expect(rules.has('/dev/tty')).toBe(false);
  });
});

describe('the network', () => {
  const ids = (abi: number, policy: Policy): string[] => compileAt(abi, policy).gaps.map(({ id }) => id);

  it('allows ports for everybody and no name', () => {
    const { value } = compileAt(newest, tierPolicy('HIGH'));
    expect(value.ports.map(({ port }) => port)).toEqual([443, 80, 8080, 8443, 22]);
    expect(value.ports.every(({ access }) => access === 2n)).toBe(true);
    const medium = compileAt(newest, tierPolicy('MEDIUM'));
    expect(medium.value.ports).toEqual([]);
    expect(medium.gaps.filter(({ id }) => id === 'network-by-name').map(({ path }) => path)).toEqual([
      'network.rules[0]',
      'network.rules[1]',
      'network.rules[2]',
    ]);
  });

  it('does not restrict connections of an unrestricted policy, and still refuses to listen', () => {
    expect(compileAt(newest, tierPolicy('CRITICAL')).value).toMatchObject({ handledNet: 1n, ports: [] });
  });

  it('has none where the kernel cannot limit ports', () => {
    expect(ids(3, tierPolicy('HIGH'))).toContain('network-ports');
    expect(ids(4, tierPolicy('HIGH'))).not.toContain('network-ports');
  });

  it('cannot fake one', () => {
    expect(ids(newest, { ...tierPolicy('LOW'), network: { mode: 'fake', rules: [] } })).toContain('fake-network');
  });
});

describe('gaps', () => {
  const ids = (abi: number, overrides: Partial<Place> = {}): string[] =>
    compileAt(abi, tierPolicy('LOW'), overrides).gaps.map(({ id }) => id);
  it.each([
    ['landlock', 0, 1],
    ['refer', 1, 2],
    ['truncate', 2, 3],
    ['device-control', 4, 5],
    ['signals', 5, 6],
  ])('%s is one up to ABI %i and none at %i', (id, last, first) => {
    expect(ids(last)).toContain(id);
    expect(ids(first)).not.toContain(id);
  });

  it.each([
    'proc-partly',
    'names-visible',
    'file-times',
    'shared-memory',
    'identity',
    'cpu-share',
    'memory-together',
    'processes',
    'unix-sockets',
  ])('%s is always one', (id) => {
    expect(ids(newest)).toContain(id);
  });

  it('tells when one folder of the box lies in another, because rules add up', () => {
    const hostFolders = { home: '/b/home', work: '/b/home/work', tmp: '/b/tmp' };
    expect(ids(newest, { hostFolders })).toContain('nested-box-folders');
    expect(ids(newest)).not.toContain('nested-box-folders');
  });
});
