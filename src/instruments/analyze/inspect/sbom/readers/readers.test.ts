import { describe, expect, it } from 'vitest';
import { buildGraph } from '../builder.ts';
import type { Component, Graph } from '../graph.ts';
import { lockReaders } from './index.ts';
import { resolveFrom } from './npm-lock.ts';
import { parseYarnText } from './yarn-text.ts';

/** The places where formats differ from the plain case: aliases, links, workspaces, other origins, peers. */

function read(file: string, text: string, beside: Readonly<Record<string, string>> = {}): Graph {
  const reader = lockReaders.find(({ isFor }) => isFor(file));
  if (reader === undefined) throw new Error(`nobody reads ${file}`);
  return buildGraph(
    reader.read(text, (path) => beside[path]),
    file,
  );
}

const npm = (packages: object): Graph => read('package-lock.json', JSON.stringify({ lockfileVersion: 3, packages }));
const find = (graph: Graph, name: string): Component | undefined =>
  graph.components.find((component) => component.name === name);
const purls = (graph: Graph): readonly string[] => graph.components.map(({ purl }) => purl);

describe('npm', () => {
  it('follows an alias to the real package', () => {
    const graph = npm({
      '': { dependencies: { short: 'npm:real@1' } },
      'node_modules/short': { name: 'real', version: '1.0.0' },
    });
    expect(purls(graph)).toEqual(['pkg:npm/real@1.0.0']);
    expect(graph.direct).toEqual(['pkg:npm/real@1.0.0']);
  });

  it('takes the nearest copy, as Node does', () => {
    const graph = npm({
      '': { dependencies: { a: '1', b: '1' } },
      'node_modules/a': { version: '1.0.0', dependencies: { b: '2' } },
      'node_modules/a/node_modules/b': { version: '2.0.0' },
      'node_modules/b': { version: '1.0.0' },
    });
    expect(find(graph, 'a')?.dependsOn).toEqual(['pkg:npm/b@2.0.0']);
    expect(graph.direct).toEqual(['pkg:npm/a@1.0.0', 'pkg:npm/b@1.0.0']);
  });

  it('follows links of workspaces, whose needs are needs of the project', () => {
    const graph = npm({
      '': { workspaces: ['packages/*'] },
      'node_modules/own': { resolved: 'packages/own', link: true },
      'packages/own': { name: 'own', version: '0.1.0', dependencies: { x: '1' } },
      'node_modules/x': { version: '1.0.0' },
    });
    expect(purls(graph)).toEqual(['pkg:npm/own@0.1.0', 'pkg:npm/x@1.0.0']);
    expect(find(graph, 'own')).toMatchObject({
      origin: 'packages/own',
      isDevelopment: false,
      dependsOn: ['pkg:npm/x@1.0.0'],
    });
  });

  it('tells optional packages, and does not miss those that are absent', () => {
    const graph = npm({
      '': { dependencies: { a: '1' }, optionalDependencies: { linux: '1', windows: '1' } },
      'node_modules/a': {
        version: '1.0.0',
        optionalDependencies: { mac: '1' },
        peerDependencies: { p: '1', q: '1' },
        peerDependenciesMeta: { q: { optional: true } },
      },
      'node_modules/linux': { version: '1.0.0', optional: true },
      'node_modules/p': { version: '1.0.0' },
    });
    expect(graph.isComplete).toBe(true);
    expect([find(graph, 'linux')?.isOptional, find(graph, 'a')?.isOptional, find(graph, 'p')?.isOptional]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('names what does not come from a registry', () => {
    const graph = npm({
      '': { dependencies: { g: 'x' } },
      'node_modules/g': { version: '1.0.0', resolved: 'git+ssh://git@example.org/g.git#abc' },
    });
    expect(find(graph, 'g')?.origin).toBe('git+ssh://git@example.org/g.git#abc');
  });

  it('reads an old lock with aliases, git and its manifest', () => {
    const lock = {
      lockfileVersion: 1,
      dependencies: {
        short: { version: 'npm:real@1.0.0' },
        g: { version: 'github:a/b#c' },
        tool: { version: '1.0.0' },
      },
    };
    const graph = read('package-lock.json', JSON.stringify(lock), {
      'package.json': '{"dependencies":{"short":"x","g":"y"},"devDependencies":{"tool":"1"}}',
    });
    expect(purls(graph)).toEqual(['pkg:npm/g', 'pkg:npm/real@1.0.0', 'pkg:npm/tool@1.0.0']);
    expect(find(graph, 'tool')?.isDevelopment).toBe(true);
    expect(graph.isComplete).toBe(false);
  });

  it.each([
    ['', 'a', 'node_modules/a'],
    ['node_modules/x', 'a', 'node_modules/a'],
    ['node_modules/x', 'b', 'node_modules/x/node_modules/b'],
    ['packages/p', 'a', 'node_modules/a'],
    ['node_modules/@s/x', 'zz', undefined],
  ])('looks for a package from %j: %s', (folder, name, found) => {
    const there = new Set(['node_modules/a', 'node_modules/x/node_modules/b']);
    expect(resolveFrom(folder, name, (path) => there.has(path))).toBe(found);
  });
});

describe('pnpm', () => {
  it('reads aliases, links, files and peers', () => {
    const graph = read(
      'pnpm-lock.yaml',
      `lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      short: {specifier: npm:real@1, version: real@1.0.0}
      own: {specifier: workspace:*, version: link:packages/own}
      tool: {specifier: file:../tool, version: file:../tool}
  packages/own:
    dependencies:
      peered: {specifier: '1', version: 1.0.0(real@1.0.0)}
packages:
  real@1.0.0: {resolution: {integrity: bad}}
  peered@1.0.0: {resolution: {integrity: bad}}
  tool@file:../tool: {resolution: {directory: ../tool, type: directory}}
snapshots:
  real@1.0.0: {}
  peered@1.0.0(real@1.0.0):
    dependencies: {real: 1.0.0}
  tool@file:../tool: {}
`,
    );
    expect(purls(graph)).toEqual(['pkg:npm/peered@1.0.0', 'pkg:npm/real@1.0.0', 'pkg:npm/tool']);
    expect(find(graph, 'peered')?.dependsOn).toEqual(['pkg:npm/real@1.0.0']);
    expect(find(graph, 'tool')?.origin).toBe('tool@file:../tool');
    expect(graph.issues).toEqual([]);
  });
});

describe('yarn', () => {
  it('reads keys with blanks, several patterns and aliases', () => {
    const text = '"@s/a@^1", "@s/a@>= 1 < 3":\n  version "1.0.0"\n\n"short@npm:real@^2":\n  version "2.0.0"\n';
    expect(parseYarnText(text).map(({ patterns }) => patterns)).toEqual([
      ['@s/a@^1', '@s/a@>= 1 < 3'],
      ['short@npm:real@^2'],
    ]);
    const graph = read('yarn.lock', text, {
      'package.json': '{"dependencies":{"@s/a":">= 1 < 3","short":"npm:real@^2"}}',
    });
    expect(purls(graph)).toEqual(['pkg:npm/%40s/a@1.0.0', 'pkg:npm/real@2.0.0']);
    expect(graph.direct).toHaveLength(2);
  });

  it('says when there is no manifest to tell what was asked for', () => {
    expect(read('yarn.lock', 'a@1:\n  version "1.0.0"\n').issues[0]?.problem).toMatch(/no package.json/);
  });

  it('reads patches and workspaces of later versions, and takes no checksum of its archive for a hash', () => {
    const graph = read(
      'yarn.lock',
      `__metadata:
  version: 8
"a@npm:^1, a@npm:^1.1":
  version: 1.1.0
  resolution: "a@npm:1.1.0"
  checksum: 10c0/${'ab'.repeat(64)}
"b@patch:b@npm%3A^2#./b.patch":
  version: 2.0.0
  resolution: "b@patch:b@npm%3A2.0.0#./b.patch"
"root@workspace:.":
  version: 0.0.0-use.local
  resolution: "root@workspace:."
  dependencies:
    a: "npm:^1"
    b: "patch:b@npm%3A^2#./b.patch"
`,
      { 'package.json': '{"name":"root","dependencies":{"a":"^1","b":"patch:b@npm%3A^2#./b.patch"}}' },
    );
    expect(purls(graph)).toEqual(['pkg:npm/a@1.1.0', 'pkg:npm/b@2.0.0']);
    expect([find(graph, 'a')?.hashes, find(graph, 'b')?.origin]).toEqual([[], 'b@patch:b@npm%3A2.0.0#./b.patch']);
    expect(graph.direct).toHaveLength(2);
  });
});

describe('bun', () => {
  it('reads nested copies under scoped parents, workspaces and git', () => {
    const graph = read(
      'bun.lock',
      `{
  "lockfileVersion": 1, // text
  "workspaces": { "": { "name": "r", "dependencies": { "@s/p": "1", "own": "workspace:*", "g": "git" } }, "own": { "name": "own", "dependencies": { "c": "1" } } },
  "packages": {
    "@s/p": ["@s/p@1.0.0", "", { "dependencies": { "c": "2" } }, "sha512-x"],
    "@s/p/c": ["c@2.0.0", "", {}, "sha512-x"],
    "c": ["c@1.0.0", "", {}, "sha512-x"],
    "own": ["own@workspace:own"],
    "g": ["g@git+https://example.org/g.git#abc", {}, "tag"],
  },
}`,
    );
    expect(purls(graph)).toEqual(['pkg:npm/%40s/p@1.0.0', 'pkg:npm/c@1.0.0', 'pkg:npm/c@2.0.0', 'pkg:npm/g']);
    expect(find(graph, '@s/p')?.dependsOn).toEqual(['pkg:npm/c@2.0.0']);
    expect(find(graph, 'g')?.origin).toMatch(/^git\+https/);
    expect(graph.issues).toEqual([]);
  });
});

describe('Python', () => {
  it('keeps both versions of a package that markers choose from', () => {
    const graph = read(
      'uv.lock',
      'version = 1\n[[package]]\nname="r"\nversion="1"\nsource={virtual="."}\ndependencies=[{name="n",version="1.0"},{name="n",version="2.0",marker="x"}]\n[[package]]\nname="n"\nversion="1.0"\n[[package]]\nname="n"\nversion="2.0"\n',
    );
    expect(graph.direct).toEqual(['pkg:pypi/n@1.0', 'pkg:pypi/n@2.0']);
    expect(graph.root).toMatchObject({ name: 'r', version: '1' });
  });

  it('reads the old form of poetry.lock, with its hashes apart, and extras', () => {
    const lock = `[[package]]\nname="A_b"\nversion="1.0"\n[package.dependencies]\nx = {version="*", optional=true}\nc = ">=1"\n[[package]]\nname="c"\nversion="1.1"\n[metadata.files]\nA_b=[{file="f",hash="sha256:${'0f'.repeat(32)}"}]\n`;
    const graph = read('poetry.lock', lock);
    expect(find(graph, 'A_b')).toMatchObject({
      purl: 'pkg:pypi/a-b@1.0',
      dependsOn: ['pkg:pypi/c@1.1'],
      hashes: [{ algorithm: 'SHA-256', hex: '0f'.repeat(32) }],
    });
    expect(graph.isComplete).toBe(true);
  });

  it('reads Poetry tables, groups and extras of a project', () => {
    const graph = read(
      'pyproject.toml',
      '[tool.poetry]\nname="r"\n[tool.poetry.dependencies]\npython="^3.10"\na="1.2.3"\nb={version="^2",optional=true}\n[tool.poetry.group.dev.dependencies]\nc="*"\n[project.optional-dependencies]\nweb=["d[x]>=1 ; python_version>\'3\'"]\n',
    );
    const told = graph.components.map(({ name, version, range, isDevelopment, isOptional }) => [
      name,
      version,
      range,
      isDevelopment,
      isOptional,
    ]);
    expect(told).toEqual([
      ['a', '1.2.3', '1.2.3', false, false],
      ['b', undefined, '^2', false, true],
      ['c', undefined, '*', true, false],
      ['d', undefined, '>=1', false, true],
    ]);
    expect(graph.isComplete).toBe(false);
  });

  it('says when dependencies are computed by a build', () => {
    expect(read('pyproject.toml', '[project]\nname="r"\ndynamic=["dependencies"]\n').issues[0]?.problem).toMatch(
      /computes/,
    );
  });
});
