import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { defaultInstallLimits } from './contract.ts';
import { scriptHolders, treeSources, trimProblems } from './npm-sources.ts';
import type { NpmTree, TreePackage } from './npm-tree.ts';
import { readPackage } from './npm-tree.ts';

function header(name: string, body: string): Buffer {
  const block = Buffer.alloc(512);
  block.write(name, 0);
  block.write('0000644', 100);
  block.write(body.length.toString(8).padStart(11, '0'), 124);
  block.write('        ', 148);
  block.write('0', 156);
  block.write(
    `${block
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  );
  return Buffer.concat([block, Buffer.from(body.padEnd(Math.ceil(body.length / 512) * 512, '\0'))]);
}

function made(name: string, manifest: object, paths: readonly string[]): TreePackage {
  const files = [header('p/package.json', JSON.stringify(manifest)), ...paths.map((path) => header(`p/${path}`, 'x'))];
  return readPackage({ name, version: '1.0.0' }, gzipSync(Buffer.concat([...files, Buffer.alloc(1024)])), 1 << 20);
}

const own = made('own', { name: 'own', bin: 'cli.js' }, ['cli.js', 'cli.d.ts', 'cli.js.map']);
const other = made('@s/other', { name: '@s/other', bin: { o: 'o.js' } }, [
  'o.js',
  'o.d.ts',
  'o.js.map',
  'lib.dom.d.ts',
  'binding.gyp',
]);
const tree: NpmTree = {
  packages: new Map([
    ['own', own],
    ['other', other],
  ]),
  placed: [
    { folder: 'node_modules/own', key: 'own' },
    { folder: 'node_modules/@s/other', key: 'other' },
  ],
  problems: [],
};

async function paths(limits: typeof defaultInstallLimits): Promise<readonly string[]> {
  const read = await Promise.all(treeSources(tree, 'own', limits).map((source) => source.read()));
  return read.flat().map(({ path, mode }) => `${path.replace('{home}/app/node_modules/', '')} ${mode.toString(8)}`);
}

describe('packages as files of a box', () => {
  it('are whole, with their programs beside them', async () => {
    expect(await paths(defaultInstallLimits)).toEqual([
      'own/package.json 644',
      'own/cli.js 755',
      'own/cli.d.ts 644',
      'own/cli.js.map 644',
      '.bin/own 755',
      '@s/other/package.json 644',
      '@s/other/o.js 755',
      '@s/other/o.d.ts 644',
      '@s/other/o.js.map 644',
      '@s/other/lib.dom.d.ts 644',
      '@s/other/binding.gyp 644',
      '.bin/o 755',
    ]);
    expect(trimProblems(tree, defaultInstallLimits)).toEqual([]);
  });

  it('lose types and source maps of dependencies where they are too many, and it is told', async () => {
    const small = { ...defaultInstallLimits, mostWholeFiles: 3 };
    const kept = await paths(small);
    expect(kept).toContain('own/cli.d.ts 644');
    expect(kept).toContain('@s/other/lib.dom.d.ts 644');
    expect(kept).not.toContain('@s/other/o.d.ts 644');
    expect(kept).not.toContain('@s/other/o.js.map 644');
    expect(trimProblems(tree, small)).toHaveLength(1);
  });

  it('have their scripts run from the deepest to the target', () => {
    expect(scriptHolders(tree).map(({ folder, hasBindings }) => [folder, hasBindings])).toEqual([
      ['{home}/app/node_modules/@s/other', true],
      ['{home}/app/node_modules/own', false],
    ]);
  });
});
