import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HostError, TargetError } from '../../../src/base/errors.ts';
import type { IngestContext, Ingested } from '../../../src/targets/ingest/contract.ts';
import { resolveDependencies } from '../../../src/targets/ingest/fetch/dependencies/resolve.ts';
import { ingest } from '../../../src/targets/ingest/ingest.ts';
import { parseTarget } from '../../../src/targets/ingest/target/parse.ts';
import { tgz } from './tar-bytes.ts';
import { zip } from './zip-bytes.ts';

let folder = '';
let context: IngestContext;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hotcell-ingest-'));
  context = {
    cwd: folder,
    home: homedir(),
    environment: process.env,
    cacheFolder: join(folder, 'cache'),
    workFolder: join(folder, 'work'),
    isOffline: false,
  };
  write('project/package.json', '{"name":"own","version":"1.2.3"}');
  write('project/dist/index.js', 'x');
  write('project/package-lock.json', '{}');
  write('project/node_modules/dep/package.json', '{}');
  write('project/.git/config', 'x');
  symlinkSync('/etc', join(folder, 'project/out'));
  symlinkSync('dist', join(folder, 'project/in'));
  write('alone/one.py', 'x');
  write('alone/other.py', 'x');
  write('alone/server.json', '{}');
  const manifest = { name: 'package/package.json', content: '{"name":"packed","version":"2.0.0"}' };
  writeFileSync(
    join(folder, 'p.tgz'),
    tgz(manifest, { name: 'package/i.js', content: 'x' }, { name: '../evil', content: 'x' }),
  );
  writeFileSync(
    join(folder, 'b.mcpb'),
    zip([
      { name: 'manifest.json', content: '{"name":"bundle","version":"3"}' },
      { name: 'server/i.js', content: 'x' },
    ]),
  );
  writeFileSync(
    join(folder, 'w-1.0-py3-none-any.whl'),
    zip([{ name: 'w/__init__.py' }, { name: 'w-1.0.dist-info/METADATA', content: 'Name: w\nVersion: 1.0\n\n' }]),
  );
  writeFileSync(
    join(folder, 's-1.0.tar.gz'),
    tgz({ name: 's-1.0/PKG-INFO', content: 'Name: s\nVersion: 1.0\n' }, { name: 's-1.0/setup.py' }),
  );
  writeFileSync(join(folder, 'broken.zip'), 'PK\x03\x04 and nothing');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const take = (text: string, more: Partial<IngestContext> = {}): Promise<Ingested> =>
  ingest(parseTarget(text, context), { ...context, ...more });

const paths = ({ files }: Ingested): string[] => files.map(({ path }) => path).sort();
const ids = ({ issues }: Ingested): string[] => issues.map(({ id }) => id);

describe('from a target to files', () => {
  it('a folder is read where it is', async () => {
    const ingested = await take('./project');
    expect(ingested.folder).toBe(join(folder, 'project'));
    expect(paths(ingested)).toEqual([
      'dist/index.js',
      'node_modules/dep/package.json',
      'package-lock.json',
      'package.json',
    ]);
    expect(ingested.resolved).toEqual({ name: 'own', version: '1.2.3' });
    expect(ingested.manifests).toEqual([{ kind: 'npm', path: 'package.json' }]);
    expect(ingested.lockfiles).toEqual([{ kind: 'npm', path: 'package-lock.json' }]);
    expect(ids(ingested)).toEqual(['link-out']);
    await ingested.close();
    expect(existsSync(join(folder, 'project/package.json'))).toBe(true);
  });

  it.each<[string, { name: string; version?: string }, string[], string[]]>([
    ['p.tgz', { name: 'packed', version: '2.0.0' }, ['i.js', 'package.json'], ['path-traversal']],
    ['b.mcpb', { name: 'bundle', version: '3' }, ['manifest.json', 'server/i.js'], []],
    ['w-1.0-py3-none-any.whl', { name: 'w', version: '1.0' }, ['w-1.0.dist-info/METADATA', 'w/__init__.py'], []],
    ['s-1.0.tar.gz', { name: 's', version: '1.0' }, ['PKG-INFO', 'setup.py'], []],
    ['broken.zip', { name: 'broken.zip' }, [], ['truncated']],
  ])('%s', async (name, resolved, files, issues) => {
    const ingested = await take(`./${name}`);
    expect(ingested.resolved).toEqual(resolved);
    expect(paths(ingested)).toEqual(files);
    expect(ids(ingested)).toEqual(issues);
    await ingested.close();
    expect(readdirSync(join(folder, 'work'))).toEqual([]);
  });

  it('a file of a project is the project, a file alone is alone', async () => {
    const inside = await take('./project/dist/index.js');
    expect([inside.folder, inside.entry]).toEqual([join(folder, 'project'), 'dist/index.js']);
    const alone = await take('-- python alone/one.py');
    expect([alone.target.kind, paths(alone)]).toEqual(['command', ['one.py']]);
    expect(paths(await take('./alone/server.json'))).toEqual(['server.json']);
  });

  it('a listing that is cut says so', async () => {
    const ingested = await take('./project', { maxFiles: 2 });
    expect(ingested).toMatchObject({ droppedFiles: 2, isComplete: false });
  });

  it('a repository', async () => {
    const run = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example', ...args], { cwd: join(folder, 'alone') });
    run('init', '-q');
    run('add', '.');
    run('commit', '-qm', 'x');
    const ingested = await take(`git+file://${folder}/alone`);
    expect(paths(ingested)).toEqual(['one.py', 'other.py', 'server.json']);
    expect(ingested.resolved.integrity).toMatch(/^git-[0-9a-f]{40}$/);
    await ingested.close();
  });

  it.each(['https://mcp.example/sse', 'image:x/y', '-- docker run x/y'])('%s has no files', async (text) => {
    const before = readdirSync(join(folder, 'work'));
    await expect(take(text)).rejects.toThrow(TargetError);
    expect(readdirSync(join(folder, 'work'))).toEqual(before);
  });
});

/** With the registries of whoever runs the tests; without one these are skipped by name. */
describe('real registries', () => {
  async function takeOrSkip(text: string, skip: (why: string) => never): Promise<Ingested> {
    try {
      return await take(text);
    } catch (error) {
      if (error instanceof HostError) return skip(`no registry answers: ${error.message}`);
      throw error;
    }
  }

  it('a package of npm, with what it needs', async ({ skip }) => {
    const ingested = await takeOrSkip('npm:is-even@1.0.0', skip);
    expect(ingested.resolved).toMatchObject({ name: 'is-even', version: '1.0.0', isVerified: true });
    expect(ingested.resolved.integrity).toMatch(/^sha512-/);
    expect(paths(ingested)).toContain('index.js');
    expect(ingested.registry?.versions).toBeGreaterThan(0);
    const wish = { ecosystem: 'npm', manifest: { dependencies: { 'is-even': '1.0.0' } } } as const;
    const graph = await resolveDependencies(wish, context);
    const names = graph.packages.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['is-even', 'is-odd', 'is-number', 'kind-of', 'is-buffer']));
    expect(graph).toMatchObject({ unresolved: [], isComplete: true });
    await expect(take('npm:is-even@1.0.0', { isOffline: true })).resolves.toMatchObject({
      resolved: { version: '1.0.0' },
    });
  });

  it('a package of Python, with what it needs', async ({ skip }) => {
    const ingested = await takeOrSkip('pypi:iniconfig==2.0.0', skip);
    expect(ingested.resolved).toMatchObject({ name: 'iniconfig', version: '2.0.0', isVerified: true });
    expect(ingested.manifests).toEqual([{ kind: 'python-metadata', path: 'iniconfig-2.0.0.dist-info/METADATA' }]);
    const graph = await resolveDependencies({ ecosystem: 'pypi', requires: ['pytest==8.0.0'], extras: [] }, context);
    expect(graph.packages.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['pytest', 'iniconfig', 'packaging', 'pluggy']),
    );
    await expect(take('pypi:iniconfig==2.0.0', { isOffline: true })).resolves.toMatchObject({
      resolved: { version: '2.0.0' },
    });
  });
});
