import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tierPolicy } from '../tiers.ts';
import { hostPathOf, readPathFacts } from './path-facts.ts';
import { samplePlace } from './sample-place.ts';

let base = '';
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'hotcell-facts-')));
  mkdirSync(join(base, 'folder'));
  writeFileSync(join(base, 'folder/file'), '');
  symlinkSync('folder', join(base, 'link'));
  symlinkSync('link/file', join(base, 'chain'));
  symlinkSync('nowhere', join(base, 'broken'));
  symlinkSync('loop', join(base, 'loop'));
});
afterAll(() => rmSync(base, { recursive: true }));

function factsOf(...names: string[]): Record<string, unknown> {
  const files = names.map((name) => ({ path: join(base, name), access: 'read' as const }));
  const place = samplePlace({
    airlock: { interpreter: '/nowhere/perl', script: '/nowhere/airlock' },
    identityFiles: [],
  });
  const facts = readPathFacts({ ...tierPolicy('LOW'), files }, place);
  return Object.fromEntries(names.map((name) => [name, facts.get(join(base, name))]));
}

describe('readPathFacts', () => {
  it('tells files, folders and devices apart', () => {
    expect(factsOf('folder', 'folder/file')).toEqual({ folder: { type: 'folder' }, 'folder/file': { type: 'file' } });
    const policy = { ...tierPolicy('LOW'), files: [{ path: '/dev/null', access: 'read' as const }] };
    expect(readPathFacts(policy, samplePlace()).get('/dev/null')).toEqual({ type: 'other' });
  });

  it('resolves links to their end, and paths that lie behind one', () => {
    const file = join(base, 'folder/file');
    expect(factsOf('link', 'chain', 'link/file')).toEqual({
      link: { type: 'link', target: 'folder', resolved: join(base, 'folder'), resolvedType: 'folder' },
      chain: { type: 'link', target: 'link/file', resolved: file, resolvedType: 'file' },
      'link/file': { type: 'link', target: file, resolved: file, resolvedType: 'file' },
    });
  });

  it.each(['missing', 'broken', 'loop', 'folder/file/below'])('knows nothing of %s', (name) => {
    expect(factsOf(name)).toEqual({ [name]: undefined });
  });

  it('looks up the folders of the box on the host', () => {
    const folders = { home: base, work: join(base, 'folder'), tmp: '/nowhere' };
    const files = [{ path: '{work}/file', access: 'read' as const }];
    const facts = readPathFacts({ ...tierPolicy('LOW'), files }, samplePlace({ hostFolders: folders }));
    expect(facts.get(join(base, 'folder/file'))).toEqual({ type: 'file' });
  });
});

describe('hostPathOf', () => {
  const folders = { home: '/h', work: '/w', tmp: '/t' };
  it.each([
    ['/usr/', '/usr'],
    ['{work}', '/w'],
    ['{home}/a//b', '/h/a/b'],
    ['{tmp}/a\nb', '/t/a\nb'],
    ['/{work}', '/{work}'],
  ])('%j is %j', (path, expected) => {
    expect(hostPathOf(path, folders)).toBe(expected);
  });
});
