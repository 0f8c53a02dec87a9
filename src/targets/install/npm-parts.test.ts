import { describe, expect, it } from 'vitest';
import { nearestVersions } from './npm-mend.ts';
import { fitsPlatform, isNamedForOther } from './npm-platform.ts';
import { handOver, programsOf } from './npm-programs.ts';
import { scriptSteps, scriptsOf } from './npm-scripts.ts';
import { edgesOf } from './npm-tree.ts';

describe('packages for other machines', () => {
  it.each([
    { manifest: {}, fits: true },
    { manifest: { os: ['linux'], cpu: ['x64'] }, fits: true },
    { manifest: { os: ['darwin'] }, fits: false },
    { manifest: { os: ['!linux'] }, fits: false },
    { manifest: { os: ['!win32'] }, fits: true },
    { manifest: { cpu: ['arm64'] }, fits: false },
    { manifest: { os: 'linux', libc: ['musl'] }, fits: false },
    { manifest: { os: 7, cpu: null }, fits: true },
  ])('$manifest: $fits', ({ manifest, fits }) => {
    expect(fitsPlatform(manifest, 'linux', 'x64')).toBe(fits);
  });

  it.each([
    ['@esbuild/darwin-arm64', true],
    ['@esbuild/linux-x64', false],
    ['@esbuild/linux-arm64', true],
    ['@img/sharp-linuxmusl-x64', true],
    ['@rollup/rollup-linux-x64-musl', true],
    ['@rollup/rollup-linux-x64-gnu', false],
    ['fsevents', false],
    ['linux-release-info', false],
    ['windows-tools', true],
  ])('%s: %s', (name, isOther) => {
    expect(isNamedForOther(name, 'linux', 'x64')).toBe(isOther);
  });
});

describe('programs of a package', () => {
  it.each([
    { manifest: { name: '@s/tool', bin: './cli.js' }, programs: { tool: 'cli.js' } },
    { manifest: { name: 'x', bin: { a: 'dist/a.js', b: './b.js' } }, programs: { a: 'dist/a.js', b: 'b.js' } },
    { manifest: { name: 'x', bin: { '../../evil': '../../../etc/x' } }, programs: { evil: 'etc/x' } },
    { manifest: { name: 'x', bin: { a: 7 } }, programs: {} },
    { manifest: { name: 'x' }, programs: {} },
  ])('$manifest', ({ manifest, programs }) => {
    expect(Object.fromEntries(programsOf(manifest))).toEqual(programs);
  });

  it('hands over by a way that does not depend on where it lies, and quotes it', () => {
    const { bytes, path } = handOver('{home}/app/node_modules/.bin', 'a', "{home}/app/node_modules/it's/cli.js");
    expect(path).toBe('{home}/app/node_modules/.bin/a');
    expect(Buffer.from(bytes).toString()).toBe(`#!/bin/sh\nexec "\${0%/*}"'/../it'\\''s/cli.js' "$@"\n`);
  });
});

describe('install scripts', () => {
  const holder = { folder: '{home}/app/node_modules/x', hasBindings: false, isProject: false };
  it.each([
    { scripts: { postinstall: 'node a', preinstall: 'b' }, names: ['preinstall', 'postinstall'] },
    { scripts: { test: 'x', build: 'y', prepare: 'z' }, names: [] },
    { scripts: { postinstall: '  ', install: 7 }, names: [] },
    { scripts: null, names: [] },
  ])('$scripts', ({ scripts, names }) => {
    expect(scriptsOf({ ...holder, manifest: { scripts } }).map(([name]) => name)).toEqual(names);
  });

  it('builds native parts where no script of its own does', () => {
    expect(scriptsOf({ ...holder, hasBindings: true, manifest: {} })).toEqual([['install', 'node-gyp rebuild']]);
    const own = { scripts: { install: 'true' } };
    expect(scriptsOf({ ...holder, hasBindings: true, manifest: own })).toEqual([['install', 'true']]);
    expect(scriptsOf({ ...holder, hasBindings: true, manifest: { gypfile: false } })).toEqual([]);
  });

  it('builds quickly, and only what has something to build', () => {
    const manifest = { name: 'x', scripts: { install: 'node-gyp rebuild' } };
    const wordsOf = (hasBindings: boolean): readonly string[] =>
      scriptSteps({ ...holder, hasBindings, manifest }, { timeoutMs: 5, searchPath: '/usr/bin' })[0]?.argv ?? [];
    expect(wordsOf(true)).toContain('CFLAGS=-O0 -w');
    expect(wordsOf(false)).not.toContain('CFLAGS=-O0 -w');
  });

  it('runs them by a shell in their folder, as one argument', () => {
    const manifest = { name: 'x', version: '1', scripts: { postinstall: 'echo "a b"; $(c)' } };
    const [step] = scriptSteps({ ...holder, manifest }, { timeoutMs: 5, searchPath: '/usr/bin' });
    expect(step?.argv.slice(-3)).toEqual(['/bin/sh', '-c', 'echo "a b"; $(c)']);
    expect(step?.cwd).toBe(holder.folder);
    const path = step?.argv.find((word) => word.startsWith('PATH='));
    expect(path).toBe(
      'PATH={home}/app/node_modules/x/node_modules/.bin:{home}/app/node_modules/node_modules/.bin:{home}/app/node_modules/.bin:{home}/node_modules/.bin:/usr/bin',
    );
  });
});

describe('a dependency that was withdrawn', () => {
  const read = async () => ({
    versions: ['0.1.6-0.152', '0.1.8-0.152', '1.0.0'],
    tags: new Map<string, string>(),
    deprecated: new Set<string>(),
    read: () => undefined,
  });
  it.each([
    { range: '^0.1.3-0.152', nearest: '0.1.8-0.152' },
    { range: '^3.0.0', nearest: undefined },
    { range: '^1.0.6', nearest: '1.0.0' },
    { range: 'file:x', nearest: undefined },
  ])('$range: $nearest', async ({ range, nearest }) => {
    const edge = { name: 'a', range, kind: 'normal' as const };
    const graph = { unresolved: [{ ...edge, why: 'no version fits' }] };
    expect((await nearestVersions(graph, read)).get('a')).toBe(nearest);
    const optional = { unresolved: [{ ...edge, kind: 'optional' as const, why: '' }] };
    expect((await nearestVersions(optional, read)).size).toBe(0);
  });
});

describe('edges of a package', () => {
  const versions = new Map([
    ['a', ['1.2.0', '2.0.0']],
    ['w', ['4.1.0']],
  ]);
  it.each([
    { manifest: { dependencies: { a: '^1' } }, edges: ['a a@1.2.0'] },
    { manifest: { dependencies: { 'w-cjs': 'npm:w@^4' } }, edges: ['w-cjs w@4.1.0'] },
    { manifest: { dependencies: { a: '^9', b: '1' } }, edges: [] },
    { manifest: { dependencies: { a: '^1' }, bundleDependencies: ['a'] }, edges: [] },
    { manifest: { dependencies: { a: '^2' }, peerDependencies: { a: '^1' } }, edges: ['a a@2.0.0'] },
  ])('$manifest', ({ manifest, edges }) => {
    expect(edgesOf(manifest, [], versions).map(({ name, key }) => `${name} ${key}`)).toEqual(edges);
  });

  it('takes an override where nothing fits', () => {
    const edges = edgesOf({ dependencies: { a: '^9' } }, [], versions, new Map([['a', '2.0.0']]));
    expect(edges.map(({ key }) => key)).toEqual(['a@2.0.0']);
  });

  it('takes the version that was resolved', () => {
    const resolved = [{ name: 'a', range: '>=1', kind: 'normal' as const, version: '2.0.0' }];
    expect(edgesOf({ dependencies: { a: '>=1' } }, resolved, versions)[0]?.key).toBe('a@2.0.0');
  });
});
