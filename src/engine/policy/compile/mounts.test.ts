import { describe, expect, it } from 'vitest';
import type { FileRule, Policy } from '../../../base/policy-schema.ts';
import { tierPolicy } from '../tiers.ts';
import { mountPoints } from './mount-points.ts';
import { compileMounts, type Mount } from './mounts.ts';
import type { PathFact, Place } from './place.ts';
import { samplePlace } from './sample-place.ts';

const folder: PathFact = { type: 'folder' };
const file: PathFact = { type: 'file' };
const usrLink = (name: string): PathFact => ({
  type: 'link',
  target: `usr/${name}`,
  resolved: `/usr/${name}`,
  resolvedType: 'folder',
});

function compileWith(
  rules: [FileRule['access'], string][],
  facts: Record<string, PathFact> = {},
  overrides: Partial<Place> = {},
) {
  const files: FileRule[] = [['execute', '/usr'] as const, ...rules].map(([access, path]) => ({ access, path }));
  const place = samplePlace({
    pathFacts: new Map(Object.entries({ '/usr': folder, ...facts })),
    identityFiles: [],
    ...overrides,
  });
  const policy: Policy = { ...tierPolicy('LOW'), files };
  return { ...compileMounts(policy, place), place };
}

/** `rwx source -> target` or `target => link`, without the three folders, /usr and the airlock. */
function show(mounts: readonly Mount[]): string[] {
  return mounts
    .filter(({ target }) => !['/usr', '/home/alex', '/home/alex/project', '/tmp', '/run/airlock'].includes(target))
    .map((mount) => {
      if (mount.kind === 'link') return `${mount.target} => ${mount.to}`;
      if (mount.kind === 'copy') return `copy ${mount.source} -> ${mount.target}`;
      const access = `r${mount.access.write ? 'w' : '-'}${mount.access.execute ? 'x' : '-'}`;
      return `${access} ${mount.source} -> ${mount.target}`;
    });
}

describe('compileMounts', () => {
  it('gives a path with its access', () => {
    const { value, gaps } = compileWith(
      [
        ['read', '/a'],
        ['write', '/b'],
        ['execute', '/c'],
      ],
      { '/a': file, '/b': folder, '/c': folder },
    );
    expect(show(value)).toEqual(['r-- /a -> /a', 'rw- /b -> /b', 'r-x /c -> /c']);
    expect(gaps).toEqual([]);
  });

  it.each<[string, [FileRule['access'], string][], string[]]>([
    [
      'unites rules on one path',
      [
        ['write', '/a'],
        ['execute', '/a/'],
      ],
      ['rwx /a -> /a'],
    ],
    [
      'drops what its parent gives already',
      [
        ['read', '/a'],
        ['read', '/a/b'],
      ],
      ['r-- /a -> /a'],
    ],
    [
      'drops less than its parent gives',
      [
        ['write', '/a'],
        ['read', '/a/b'],
      ],
      ['rw- /a -> /a'],
    ],
    [
      'adds what its parent gives',
      [
        ['execute', '/a'],
        ['write', '/a/b'],
      ],
      ['r-x /a -> /a', 'rwx /a/b -> /a/b'],
    ],
    [
      'puts parents first',
      [
        ['write', '/a/b/c'],
        ['read', '/a'],
        ['execute', '/a/b'],
      ],
      ['r-- /a -> /a', 'r-x /a/b -> /a/b', 'rwx /a/b/c -> /a/b/c'],
    ],
    ['leaves out what does not exist', [['read', '/missing']], []],
  ])('%s', (_name, rules, expected) => {
    const facts = { '/a': folder, '/a/b': folder, '/a/b/c': folder };
    const { value, gaps } = compileWith(rules, facts);
    expect(show(value)).toEqual(expected);
    expect(gaps).toEqual([]);
  });

  it.each<[string, [FileRule['access'], string][], Record<string, PathFact>, string[]]>([
    [
      'a link into something given stays a link',
      [['execute', '/bin']],
      { '/bin': usrLink('bin') },
      ['/bin => usr/bin'],
    ],
    [
      'a link elsewhere becomes what it leads to',
      [['read', '/etc/resolv.conf']],
      {
        '/etc/resolv.conf': {
          type: 'link',
          target: '../run/stub.conf',
          resolved: '/run/stub.conf',
          resolvedType: 'file',
        },
      },
      ['r-- /run/stub.conf -> /etc/resolv.conf'],
    ],
    [
      'a link with more access than what it leads to',
      [['write', '/var/x']],
      { '/var/x': { type: 'link', target: '/usr/x', resolved: '/usr/x', resolvedType: 'folder' } },
      ['rw- /usr/x -> /var/x'],
    ],
    [
      'a chain of links is made short',
      [['execute', '/one']],
      { '/one': { type: 'link', target: 'two', resolved: '/usr/three', resolvedType: 'file' } },
      ['/one => /usr/three'],
    ],
    [
      'a link that lies in a given folder is there already',
      [['execute', '/usr/bin/python3']],
      {
        '/usr/bin/python3': {
          type: 'link',
          target: 'python3.11',
          resolved: '/usr/bin/python3.11',
          resolvedType: 'file',
        },
      },
      [],
    ],
    [
      'a path behind a link is put where it really is',
      [
        ['execute', '/lib'],
        ['write', '/lib/x'],
      ],
      {
        '/lib': usrLink('lib'),
        '/lib/x': { type: 'link', target: '/usr/lib/x', resolved: '/usr/lib/x', resolvedType: 'folder' },
      },
      ['/lib => usr/lib', 'rwx /usr/lib/x -> /usr/lib/x'],
    ],
  ])('%s', (_name, rules, facts, expected) => {
    const { value, gaps } = compileWith(rules, facts);
    expect(show(value)).toEqual(expected);
    expect(gaps).toEqual([]);
  });

  it('always has the three folders of the box, read-only where no rule says more', () => {
    const { value } = compileWith([['write', '{tmp}']]);
    const own = value.filter((mount) => mount.kind === 'bind' && mount.of === 'box');
    expect(own.map(({ target }) => target)).toEqual(['/home/alex', '/home/alex/project', '/tmp']);
    expect(own.map((mount) => mount.kind === 'bind' && mount.access)).toEqual([
      { write: false, execute: false },
      { write: false, execute: false },
      { write: true, execute: false },
    ]);
  });

  it.each<[string, string, string]>([
    ['/', 'whole-root', 'read'],
    ['/proc', 'kernel-folder', 'read'],
    ['/dev/kvm', 'kernel-folder', 'write'],
    ['/home', 'hidden-by-box', 'read'],
    ['/tmp', 'hidden-by-box', 'write'],
    ['/run', 'hidden-by-box', 'read'],
    ['/run/airlock/x', 'hidden-by-box', 'read'],
  ])('does not give %s of the host: %s', (path, id, access) => {
    const { value, gaps } = compileWith([[access as 'read', path]], { [path]: folder });
    expect(show(value)).toEqual([]);
    expect(gaps).toMatchObject([{ id, path: 'files[1]', effect: 'closed' }]);
  });

  it('keeps its links beside a rule that cannot be kept', () => {
    const { value } = compileWith(
      [
        ['read', '/'],
        ['execute', '/bin'],
      ],
      { '/': folder, '/bin': usrLink('bin') },
    );
    expect(show(value)).toEqual(['/bin => usr/bin']);
  });

  it.each<[string, PathFact, string]>([
    ['everything', { type: 'link', target: '/', resolved: '/', resolvedType: 'folder' }, 'whole-root'],
    [
      'the processes',
      { type: 'link', target: '/proc/1/root', resolved: '/proc/1/root', resolvedType: 'folder' },
      'kernel-folder',
    ],
    ['a disk', { type: 'link', target: '../dev/sda', resolved: '/dev/sda', resolvedType: 'other' }, 'kernel-folder'],
  ])('does not follow a link to %s of the host', (_name, link, id) => {
    for (const facts of [{ '/a/link': link }, { '/a': folder, '/a/link': link }]) {
      const { value, gaps } = compileWith(
        [
          ['read', '/a'],
          ['read', '/a/link'],
        ],
        facts,
      );
      expect(show(value)).toEqual(Object.keys(facts).includes('/a') ? ['r-- /a -> /a'] : []);
      expect(gaps).toMatchObject([{ id, effect: 'closed' }]);
    }
  });

  it('gives a path of the host below a folder of the box', () => {
    const { value } = compileWith(
      [
        ['read', '/tmp/shared'],
        ['write', '{tmp}'],
      ],
      { '/tmp/shared': folder },
    );
    expect(show(value)).toEqual(['r-- /tmp/shared -> /tmp/shared']);
  });
});

describe('paths inside the folders of the box', () => {
  const work = samplePlace().hostFolders.work;
  const home = samplePlace().hostFolders.home;
  it('has a folder of its own access where the target cannot replace it', () => {
    const { value, gaps } = compileWith(
      [
        ['execute', '{work}'],
        ['write', '{work}/data'],
      ],
      { [`${work}/data`]: folder },
    );
    expect(show(value)).toEqual([`rwx ${work}/data -> /home/alex/project/data`]);
    expect(gaps).toEqual([]);
  });

  it.each<[string, [FileRule['access'], string][], Record<string, PathFact>, string]>([
    ['it is missing', [['write', '{work}/data']], {}, 'does not exist'],
    [
      'it is a link that leads out',
      [['write', '{work}/data']],
      { [`${work}/data`]: { type: 'link', target: '/etc', resolved: '/etc', resolvedType: 'folder' } },
      'is a link',
    ],
    [
      'the target could make it a link',
      [
        ['write', '{home}'],
        ['execute', '{home}/bin'],
      ],
      { [`${home}/bin`]: folder },
      'can replace it',
    ],
  ])('stays with its parent when %s', (_name, rules, facts, because) => {
    const { value, gaps } = compileWith(rules, facts);
    expect(show(value)).toEqual([]);
    expect(gaps).toMatchObject([{ id: 'parent-only', effect: 'closed' }]);
    expect(gaps[0]?.what).toContain(because);
  });
});

describe('what Hotcell puts in', () => {
  const identityFiles = [{ source: '/box/passwd', target: '/etc/passwd' }];

  it('comes last and takes the place of a rule', () => {
    const { value } = compileWith([['read', '/etc/passwd']], { '/etc/passwd': file }, { identityFiles });
    expect(show(value)).toEqual(['r-- /box/passwd -> /etc/passwd']);
    expect(value.slice(-2).map(({ target }) => target)).toEqual(['/etc/passwd', '/run/airlock']);
  });

  it('is laid over a file of the host where there is one, and is missed where not', () => {
    const facts = { '/etc': folder, '/etc/passwd': file };
    expect(show(compileWith([['read', '/etc']], facts, { identityFiles }).value)).toEqual([
      'r-- /etc -> /etc',
      'r-- /box/passwd -> /etc/passwd',
    ]);
    const other = compileWith([['read', '/etc']], { '/etc': folder }, { identityFiles });
    expect(show(other.value)).toEqual(['r-- /etc -> /etc']);
    expect(other.gaps).toMatchObject([{ id: 'identity', effect: 'open' }]);
  });

  it('brings the interpreter of the airlock where no rule lets it run', () => {
    const facts: Record<string, PathFact> = {
      '/usr/bin/perl': file,
      '/usr/lib/x86_64-linux-gnu': folder,
      '/lib/x86_64-linux-gnu': {
        type: 'link',
        target: '/usr/lib/x86_64-linux-gnu',
        resolved: '/usr/lib/x86_64-linux-gnu',
        resolvedType: 'folder',
      },
      '/lib64/ld-linux-x86-64.so.2': {
        type: 'link',
        target: '/lib/x86_64-linux-gnu/ld.so',
        resolved: '/usr/lib/x86_64-linux-gnu/ld.so',
        resolvedType: 'file',
      },
    };
    const place = samplePlace({ pathFacts: new Map(Object.entries(facts)), identityFiles: [] });
    const { value, gaps } = compileMounts({ ...tierPolicy('LOW'), files: [] }, place);
    expect(show(value)).toEqual([
      '/lib/x86_64-linux-gnu => /usr/lib/x86_64-linux-gnu',
      '/lib64/ld-linux-x86-64.so.2 => /usr/lib/x86_64-linux-gnu/ld.so',
      'r-x /usr/bin/perl -> /usr/bin/perl',
      'r-x /usr/lib/x86_64-linux-gnu -> /usr/lib/x86_64-linux-gnu',
    ]);
    expect(gaps).toMatchObject([{ id: 'airlock-interpreter', effect: 'open' }]);
  });
});

describe('small files', () => {
  const facts: Record<string, PathFact> = {
    '/etc/hosts': file,
    '/etc/sub': folder,
    '/etc/sub/x': file,
    '/etc/tool': file,
  };
  const rules: [FileRule['access'], string][] = [
    ['read', '/etc/hosts'],
    ['execute', '/etc/sub'],
    ['execute', '/etc/tool'],
    ['write', '/etc/sub/x'],
  ];

  it('are copied into the root where they are only read and nothing is mounted above', () => {
    const { value, place } = compileWith(rules, facts, { copyable: new Set(Object.keys(facts)) });
    expect(show(value)).toEqual([
      'copy /etc/hosts -> /etc/hosts',
      'r-x /etc/sub -> /etc/sub',
      'rwx /etc/sub/x -> /etc/sub/x',
      'r-x /etc/tool -> /etc/tool',
    ]);
    expect(mountPoints(value, place.rootFolder)).toContainEqual({
      at: `${place.rootFolder}/etc/hosts`,
      type: 'copy',
      to: '/etc/hosts',
    });
  });

  it('are mounted where nobody said that they can be copied', () => {
    expect(show(compileWith(rules, facts).value)[0]).toBe('r-- /etc/hosts -> /etc/hosts');
  });
});

describe('mountPoints', () => {
  it('are made in the root folder, or in the folder of the box they lie in', () => {
    const { value, place } = compileWith(
      [
        ['read', '/etc/hosts'],
        ['execute', '/bin'],
        ['write', '/usr/local'],
      ],
      { '/etc/hosts': file, '/bin': usrLink('bin'), '/usr/local': folder },
    );
    const { rootFolder, hostFolders } = place;
    expect(mountPoints(value, rootFolder)).toEqual([
      { at: `${rootFolder}/proc`, type: 'folder' },
      { at: `${rootFolder}/dev`, type: 'folder' },
      { at: `${rootFolder}/bin`, type: 'link', to: 'usr/bin' },
      { at: `${rootFolder}/etc/hosts`, type: 'file' },
      { at: `${rootFolder}/home/alex`, type: 'folder' },
      { at: `${hostFolders.home}/project`, type: 'folder' },
      { at: `${rootFolder}/tmp`, type: 'folder' },
      { at: `${rootFolder}/usr`, type: 'folder' },
      { at: `${rootFolder}/run/airlock`, type: 'file' },
    ]);
  });
});
