import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTargetFolder } from '../target-folder.ts';
import { inspectFiles as inspect, lockOf, now } from './ask-files.ts';
import { advisoryRules, bundledSource, importedPackages, importOsv, osvOfflineSource } from './index.ts';
import type { PackageExample } from './rules.ts';
import { type AdvisorySource, isFreshAt } from './source.ts';
import { readBundled } from './sources/bundled.ts';

/** One that knows everything and has found nothing: it stands for a whole database. */
const covering: AdvisorySource = {
  id: 'covering',
  title: 'a database that covers everything',
  ask: async () => ({
    source: 'covering',
    title: 'x',
    isReachable: true,
    because: undefined,
    dataAt: now.toISOString(),
    isFresh: true,
    covers: ['npm', 'pypi'],
    matches: [],
    unanswered: [],
  }),
};

function filesOf({ ecosystem, name, version }: PackageExample): Readonly<Record<string, string>> {
  if (ecosystem === 'pypi') return { 'requirements.txt': `${name}==${version} --hash=sha256:${'a'.repeat(64)}` };
  return { 'package-lock.json': lockOf({ [name]: { version } }) };
}

describe('the rules', () => {
  it.each(Object.values(advisoryRules))('$id: its own examples', async ({ id, fires, silent }) => {
    const rules = async (example: PackageExample): Promise<readonly string[]> => {
      const sources = example.sources === 'covering' ? [bundledSource(), covering] : [bundledSource()];
      return (await inspect(filesOf(example), sources)).findings.map(({ rule }) => rule);
    };
    expect(await rules(fires)).toContain(id);
    expect(await rules(silent)).not.toContain(id);
  });
});

describe('the bundled list', () => {
  it('has a provenance for every entry and no id twice for one package', () => {
    const { advisories } = readBundled();
    expect(advisories.length).toBeGreaterThan(60);
    const keys = advisories.map(({ id, affected }) => `${id} ${affected[0]?.name}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each<[PackageExample['ecosystem'], string, string, readonly string[]]>([
    ['npm', '@modelcontextprotocol/server-filesystem', '0.6.2', ['CVE-2025-53109', 'CVE-2025-53110']],
    ['npm', '@modelcontextprotocol/server-filesystem', '2025.7.1', []],
    ['npm', '@modelcontextprotocol/sdk', '1.25.3', ['CVE-2026-25536']],
    ['npm', '@modelcontextprotocol/sdk', '1.26.0', []],
    ['npm', 'mcp-server-kubernetes', '3.6.0', ['CVE-2026-47250']],
    ['pypi', 'mcp-server-git', '2025.9.25', ['CVE-2025-68144', 'CVE-2025-68145']],
    ['pypi', 'MCP_Server.Git', '2025.12.18', []],
  ])('%s %s %s', async (ecosystem, name, version, ids) => {
    const { data } = await inspect(filesOf({ ecosystem, name, version }), [bundledSource()]);
    expect(data.matches.map(({ advisory }) => advisory.id).sort()).toEqual(ids);
  });
});

describe('what is not known', () => {
  it('is never "no vulnerabilities"', async () => {
    const files = { 'package-lock.json': lockOf({ alpha: { version: '1.0.0' } }) };
    expect((await inspect(files, [])).data.outcome).toBe('unknown');
    expect((await inspect(files, [bundledSource()])).data.outcome).toBe('unknown');
    expect((await inspect(files, [covering])).data.outcome).toBe('none-known');
    expect(
      (
        await inspect(files, [
          { ...covering, ask: async () => ({ ...(await covering.ask({} as never)), isFresh: false }) },
        ])
      ).data.outcome,
    ).toBe('unknown');
    expect(
      (await inspect(files, [{ ...covering, ask: () => Promise.reject(new Error('no network')) }])).issues[0]?.problem,
    ).toMatch(/no network/);
  });

  it('is told when a tree is not pinned', async () => {
    const { data, findings } = await inspect(
      { 'package.json': '{"name":"s","version":"1.0.0","dependencies":{"mcp-remote":"^0.1.0"}}' },
      [bundledSource()],
    );
    expect(data.matches.map(({ answer }) => answer)).toEqual(['unknown']);
    expect(findings.every(({ evidenceClass }) => evidenceClass === 'U')).toBe(true);
  });

  it('grows old', () => {
    const fresh = (at: string | undefined): boolean => isFreshAt(at, now, 14);
    expect(['2026-11-14', '2026-10-31', undefined, 'nonsense', '2027-01-01'].map(fresh)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('the same vulnerability from several sources', () => {
  it('is one finding with all its names', async () => {
    const records = {
      'a.json': JSON.stringify({
        id: 'GHSA-6xpm-ggf7-wc3p',
        aliases: ['CVE-2025-6514'],
        modified: '2026-11-14T00:00:00Z',
        affected: [
          {
            package: { ecosystem: 'npm', name: 'mcp-remote' },
            ranges: [{ type: 'SEMVER', events: [{ introduced: '0.0.5' }, { fixed: '0.1.16' }] }],
          },
        ],
      }),
    };
    using source = makeTargetFolder(records);
    using place = makeTargetFolder({});
    await importOsv(source.root, { folder: join(place.root, 'index'), now });
    const { data, findings } = await inspect({ 'package-lock.json': lockOf({ 'mcp-remote': { version: '0.1.15' } }) }, [
      bundledSource(),
      osvOfflineSource({ folder: join(place.root, 'index') }),
    ]);
    expect(data.matches).toHaveLength(1);
    expect(data.matches[0]).toMatchObject({
      ids: ['CVE-2025-6514', 'GHSA-6xpm-ggf7-wc3p'],
      sources: ['bundled', 'osv-offline'],
      fixed: '0.1.16',
    });
    expect(data).toMatchObject({ outcome: 'found', isAnswered: true });
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      severity: 'critical',
      axis: 'exposure',
      remediation: 'Update mcp-remote to 0.1.16 or later.',
    });
  });
});

describe('reachability', () => {
  const packages = {
    'mcp-remote': { version: '0.1.15' },
    figma: { version: '1.0.0', dependencies: { 'figma-developer-mcp': '*' } },
    'figma-developer-mcp': { version: '0.6.2' },
    'ios-simulator-mcp': { version: '1.3.2' },
  };
  const own = {
    name: 's',
    version: '1.0.0',
    dependencies: { 'mcp-remote': '*', figma: '*', 'ios-simulator-mcp': '*' },
  };

  it('is told per package, and what is not imported weighs one step less', async () => {
    const { data, findings } = await inspect(
      {
        'package-lock.json': lockOf(packages, own),
        'dist/index.js': 'import{a}from"mcp-remote/x";const b=require("figma");',
      },
      [bundledSource()],
    );
    expect(data.matches.map(({ component, reachability }) => [component.name, reachability])).toEqual([
      ['figma-developer-mcp', 'through'],
      ['ios-simulator-mcp', 'not-imported'],
      ['mcp-remote', 'imported'],
    ]);
    expect(
      findings.filter(({ rule }) => rule === 'advisory/known-vulnerability').map(({ severity }) => severity),
    ).toEqual(['high', 'medium', 'critical']);
  });

  it('is unknown where a bundle has swallowed the imports', async () => {
    const { data } = await inspect(
      {
        'package-lock.json': lockOf(packages, own),
        'dist/index.js': 'var require_x = __commonJS({});\n// node_modules/mcp-remote/index.js\n',
      },
      [bundledSource()],
    );
    expect(data.matches.map(({ reachability }) => reachability)).toEqual(['unknown', 'unknown', 'imported']);
  });

  it('reads every form of import', () => {
    using folder = makeTargetFolder({
      'a.ts': `import type { X } from '@scope/one/deep';\nexport * from "two";\nimport 'three';\nawait import(\`four\`);\nimport fs from 'node:fs'; import { join } from 'path'; import './own.js';`,
      'b.py':
        'import os, yaml as y\nfrom google.protobuf import x\n    import requests.adapters\nimportlib.import_module("dotenv")',
      'node_modules/z/index.js': 'require("not-own")',
    });
    const { npm, pypi } = importedPackages(folder.root, folder.files);
    expect([...npm].sort()).toEqual(['@scope/one', 'four', 'three', 'two']);
    expect([...pypi]).toEqual(expect.arrayContaining(['os', 'pyyaml', 'protobuf', 'requests', 'python-dotenv']));
  });
});
