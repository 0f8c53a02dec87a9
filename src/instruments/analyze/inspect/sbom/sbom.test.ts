import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { makeTargetFolder } from '../target-folder.ts';
import { inspectSbom, sbomRules, withVulnerabilities } from './index.ts';
import { npmSamples, pythonSamples } from './lock-samples.ts';

function makeValidator(): ValidateFunction {
  const folder = new URL('../../../../../test/samples/schema/', import.meta.url);
  const read = (name: string): object => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
  const ajv = new Ajv({ strict: false, allErrors: true });
  formats.default(ajv);
  // Formats of international names that ajv-formats does not have: what is not checked is said here.
  ajv.addFormat('iri-reference', true);
  ajv.addFormat('idn-email', true);
  ajv.addSchema(read('spdx.SNAPSHOT.schema.json'), 'http://cyclonedx.org/schema/spdx.SNAPSHOT.schema.json');
  ajv.addSchema(read('jsf-0.82.SNAPSHOT.schema.json'), 'http://cyclonedx.org/schema/jsf-0.82.SNAPSHOT.schema.json');
  return ajv.compile(read('bom-1.6.SNAPSHOT.schema.json'));
}

const validate = makeValidator();

function inspect(files: Readonly<Record<string, string>>) {
  using folder = makeTargetFolder(files);
  return inspectSbom(folder);
}

describe('the schema', () => {
  it('refuses what is no bill of materials, so that a pass means something', () => {
    expect(validate({ bomFormat: 'CycloneDX', specVersion: '1.6', components: [{ type: 'library' }] })).toBe(false);
  });
});

describe.each([...npmSamples, ...pythonSamples])('$title', ({ files, file, ecosystem, hasEdges, hasHash }) => {
  const { data, issues } = inspect(files);
  const gamma = ecosystem === 'npm' ? 'pkg:npm/%40scope/gamma@3.0.0' : 'pkg:pypi/gamma-pkg@3.0.0';
  const purl = (name: string, version: string): string => `pkg:${ecosystem}/${name}@${version}`;

  it('gives every package once, with its version', () => {
    expect(issues).toEqual([]);
    expect(data.graph.components.map((component) => component.purl).sort()).toEqual(
      [gamma, purl('alpha', '1.1.0'), purl('beta', '2.0.1'), purl('delta', '4.2.0')].sort(),
    );
    expect(data.graph.isComplete).toBe(true);
    expect(data.graph.sources).toEqual([file]);
  });

  it('tells development from running, and knows the edges', () => {
    const by = new Map(data.graph.components.map((component) => [component.name, component]));
    expect([by.get('delta')?.isDevelopment, by.get('alpha')?.isDevelopment, by.get('beta')?.isDevelopment]).toEqual([
      true,
      false,
      false,
    ]);
    if (hasEdges) expect(by.get('alpha')?.dependsOn).toEqual([purl('beta', '2.0.1')]);
    expect(by.get('alpha')?.hashes.length).toBe(hasHash ? 1 : 0);
    expect(data.graph.direct).toContain(gamma);
  });

  it('is valid CycloneDX 1.6 and the same every time', () => {
    expect(validate(data.bom), JSON.stringify(validate.errors)).toBe(true);
    expect(inspect(files).data.bom).toEqual(data.bom);
  });
});

describe('vulnerabilities in the bill of materials', () => {
  it('are valid, and refer to components that are there', () => {
    const { bom } = inspect(npmSamples[1]?.files ?? {}).data;
    const known = {
      id: 'CVE-2025-1',
      aliases: ['CVE-2025-1', 'GHSA-x'],
      summary: 'bad',
      severity: 'high' as const,
      score: 7.5,
      cwe: ['CWE-22'],
      sources: ['osv'],
      fixed: '1.2.0',
    };
    const full = withVulnerabilities(bom, [
      { ...known, purl: 'pkg:npm/alpha@1.1.0' },
      { ...known, purl: 'pkg:npm/server@1.0.0' },
      { ...known, id: 'CVE-2025-2', purl: 'pkg:npm/nobody@1.0.0', severity: undefined, score: undefined },
    ]);
    expect(validate(full), JSON.stringify(validate.errors)).toBe(true);
    expect(full.vulnerabilities).toHaveLength(1);
    expect(full.vulnerabilities[0]).toMatchObject({
      affects: [{ ref: 'pkg:npm/alpha@1.1.0' }, { ref: 'target:pkg:npm/server@1.0.0' }],
      cwes: [22],
    });
  });
});

describe('the rules', () => {
  it.each(Object.values(sbomRules))('$id: its own examples', ({ id, fires, silent }) => {
    expect(inspect(fires).findings.map(({ rule }) => rule)).toContain(id);
    expect(inspect(silent).findings.map(({ rule }) => rule)).not.toContain(id);
  });
});

describe('hostile and unusual trees', () => {
  it.each<[string, Record<string, string>, RegExp]>([
    ['a broken lock', { 'package-lock.json': '{' }, /not JSON/],
    ['deep nesting', { 'package-lock.json': '['.repeat(100_000) }, /nested deeper/],
    ['a lock that is an array', { 'package-lock.json': '[]' }, /not an object/],
    [
      'a missing package',
      { 'package-lock.json': JSON.stringify({ packages: { '': { dependencies: { a: '1' } } } }) },
      /does not list: a/,
    ],
    [
      'a name that is a path',
      { 'package-lock.json': JSON.stringify({ packages: { 'node_modules/../../x y': { version: '1.0.0' } } }) },
      /no package name/,
    ],
    [
      'aliases that explode',
      {
        'pnpm-lock.yaml': `lockfileVersion: 6\na: &a [x,x]\n${Array.from({ length: 12 }, (_, i) => `b${i}: &b${i} [*${i === 0 ? 'a' : `b${i - 1}`},*${i === 0 ? 'a' : `b${i - 1}`}]`).join('\n')}\n`,
      },
      /YAML/,
    ],
    ['a yarn.lock of prose', { 'yarn.lock': 'hello world' }, /no key/],
    ['a lock file that nobody reads', { 'bun.lockb': 'binary' }, /binary lock file/],
    ['an include that is not there', { 'requirements.txt': '-r ../../../etc/passwd' }, /not there/],
    ['a bun.lock without version', { 'bun.lock': '{"lockfileVersion":1,"packages":{"a":["a"]}}' }, /no version/],
  ])('%s is an issue and class U', (_, files, problem) => {
    const { issues, findings, data } = inspect(files);
    expect(issues.map((issue) => issue.problem).join('; ')).toMatch(problem);
    expect(findings.every(({ evidenceClass }) => evidenceClass === 'U')).toBe(true);
    expect(findings.length).toBeGreaterThan(0);
    expect(data.graph.isComplete).toBe(false);
  });

  it('keeps keys such as __proto__ as keys', () => {
    const { data } = inspect({
      'package-lock.json':
        '{"lockfileVersion":3,"packages":{"":{"dependencies":{"__proto__":"1"}},"node_modules/__proto__":{"version":"1.0.0"}}}',
    });
    expect(data.graph.components.map(({ name }) => name)).toEqual(['__proto__']);
  });

  it('falls back to the manifest when the lock is broken', () => {
    const { data } = inspect({
      'package.json': '{"name":"s","version":"1.0.0","dependencies":{"a":"1.2.3"}}',
      'package-lock.json': '{',
    });
    expect(data.graph.components.map(({ purl }) => purl)).toEqual(['pkg:npm/a@1.2.3']);
    expect(data.graph.isComplete).toBe(false);
  });

  it('prefers what lies in node_modules to what the lock says', () => {
    const { data } = inspect({
      'package.json': '{"name":"s","version":"1.0.0","dependencies":{"a":"1"}}',
      'package-lock.json': JSON.stringify({
        lockfileVersion: 3,
        packages: { '': {}, 'node_modules/a': { version: '1.0.0' } },
      }),
      'node_modules/a/package.json': '{"name":"a","version":"6.6.6","dependencies":{"b":"1"}}',
      'node_modules/b/package.json': '{"name":"b","version":"2.0.0","license":"ISC"}',
    });
    expect(data.graph.components.map(({ purl }) => purl)).toEqual(['pkg:npm/a@6.6.6', 'pkg:npm/b@2.0.0']);
    expect(data.graph.components[0]?.dependsOn).toEqual(['pkg:npm/b@2.0.0']);
  });

  it('reads unpacked Python packages', () => {
    const { data } = inspect({
      'lib/yaml-6.0.dist-info/METADATA':
        'Metadata-Version: 2.1\nName: PyYAML\nVersion: 6.0\nLicense: MIT\nRequires-Dist: six\n\nRequires-Dist: not-this',
      'lib/six-1.0.dist-info/METADATA': 'Name: six\nVersion: 1.0\n',
    });
    expect(data.graph.components.map(({ purl, licences }) => [purl, licences])).toEqual([
      ['pkg:pypi/pyyaml@6.0', ['MIT']],
      ['pkg:pypi/six@1.0', []],
    ]);
  });

  it('takes the plain requirements file before its variants', () => {
    const { data } = inspect({ 'requirements-dev.txt': 'pytest==8.0', 'requirements.txt': 'mcp==1.9.0' });
    expect(data.graph.components.map(({ purl }) => purl)).toEqual(['pkg:pypi/mcp@1.9.0']);
  });

  it('tells development packages of a poetry.lock without its project file', () => {
    const lock =
      '[[package]]\nname="a"\nversion="1"\ngroups=["main"]\n[[package]]\nname="b"\nversion="1"\ngroups=["dev"]\n[[package]]\nname="c"\nversion="1"\ncategory="dev"\n';
    const { data } = inspect({ 'poetry.lock': lock });
    expect(data.graph.components.map(({ name, isDevelopment }) => [name, isDevelopment])).toEqual([
      ['a', false],
      ['b', true],
      ['c', true],
    ]);
  });

  it('reads requirements with hashes, markers, includes and continued lines', () => {
    const { data } = inspect({
      'requirements.txt': `-r more/base.txt\nflask[async]==2.0.1 ; python_version < "3.9" \\\n  --hash=sha256:${'0a'.repeat(32)} # why\nrequests>=2,<3\ngit+https://example.org/x.git#egg=from_git\n--index-url https://index.example\n`,
      'more/base.txt': '-r ../requirements.txt\nclick===8.0',
    });
    const told = data.graph.components.map(({ name, version, range, origin, hashes }) => [
      name,
      version,
      range,
      origin,
      hashes.length,
    ]);
    expect(told).toEqual([
      ['click', '8.0', '===8.0', undefined, 0],
      ['flask', '2.0.1', '==2.0.1', undefined, 1],
      ['from_git', undefined, undefined, 'git+https://example.org/x.git#egg=from_git', 0],
      ['requests', undefined, '>=2,<3', undefined, 0],
    ]);
    expect(validate(data.bom), JSON.stringify(validate.errors)).toBe(true);
  });
});

describe('the dependencies of Hotcell itself', () => {
  it('are read in full and valid', () => {
    const root = fileURLToPath(new URL('../../../../../', import.meta.url));
    const { data, issues } = inspectSbom({ root, files: readdirSync(root) });
    expect(issues).toEqual([]);
    expect(data.graph.components.length).toBeGreaterThan(100);
    expect(validate(data.bom), JSON.stringify(validate.errors)).toBe(true);
  });
});
