/** The same small project in every format: server -> alpha -> beta, server -> @scope/gamma, and delta for development. */

const sha512 = `sha512-${Buffer.alloc(64, 7).toString('base64')}`;
const sha256 = 'ab'.repeat(32);

const manifest = JSON.stringify({
  name: 'server',
  version: '1.0.0',
  dependencies: { alpha: '^1.0.0', '@scope/gamma': '3.0.0' },
  devDependencies: { delta: '^4.0.0' },
});

const flatPackages = {
  '': JSON.parse(manifest),
  'node_modules/alpha': {
    version: '1.1.0',
    integrity: sha512,
    license: 'MIT',
    dependencies: { beta: '^2.0.0' },
    resolved: 'https://registry.example/alpha-1.1.0.tgz',
  },
  'node_modules/alpha/node_modules/beta': { version: '2.0.1', integrity: sha512 },
  'node_modules/@scope/gamma': { version: '3.0.0', license: '(MIT OR Apache-2.0)' },
  'node_modules/delta': { version: '4.2.0', dev: true, license: 'Own licence' },
};

export interface LockSample {
  readonly file: string;
  readonly title: string;
  readonly ecosystem: 'npm' | 'pypi';
  readonly files: Readonly<Record<string, string>>;
  /** Edges are not in every format. */
  readonly hasEdges: boolean;
  readonly hasHash: boolean;
}

const npm = (file: string, title: string, text: string, more: Partial<LockSample> = {}): LockSample => ({
  file,
  title,
  ecosystem: 'npm',
  files: { 'package.json': manifest, [file]: text },
  hasEdges: true,
  hasHash: true,
  ...more,
});

export const npmSamples: readonly LockSample[] = [
  npm(
    'package-lock.json',
    'npm 1',
    JSON.stringify({
      name: 'server',
      version: '1.0.0',
      lockfileVersion: 1,
      dependencies: {
        alpha: {
          version: '1.1.0',
          integrity: sha512,
          requires: { beta: '^2.0.0' },
          dependencies: { beta: { version: '2.0.1' } },
        },
        '@scope/gamma': { version: '3.0.0' },
        delta: { version: '4.2.0', dev: true },
      },
    }),
  ),
  npm(
    'package-lock.json',
    'npm 2',
    JSON.stringify({ lockfileVersion: 2, packages: flatPackages, dependencies: { alpha: {} } }),
  ),
  npm('npm-shrinkwrap.json', 'npm 3', JSON.stringify({ lockfileVersion: 3, packages: flatPackages })),
  npm(
    'pnpm-lock.yaml',
    'pnpm 5',
    `lockfileVersion: 5.4
specifiers:
  alpha: ^1.0.0
dependencies:
  alpha: 1.1.0
  '@scope/gamma': 3.0.0_alpha@1.1.0
devDependencies:
  delta: 4.2.0
packages:
  /alpha/1.1.0:
    resolution: {integrity: ${sha512}}
    dependencies:
      beta: 2.0.1
    dev: false
  /beta/2.0.1:
    resolution: {integrity: ${sha512}}
  /@scope/gamma/3.0.0_alpha@1.1.0:
    resolution: {integrity: ${sha512}}
  /delta/4.2.0:
    resolution: {integrity: ${sha512}}
    dev: true
`,
  ),
  npm(
    'pnpm-lock.yaml',
    'pnpm 6',
    `lockfileVersion: '6.0'
dependencies:
  alpha:
    specifier: ^1.0.0
    version: 1.1.0
  '@scope/gamma':
    specifier: 3.0.0
    version: 3.0.0(alpha@1.1.0)
devDependencies:
  delta:
    specifier: ^4.0.0
    version: 4.2.0
packages:
  /alpha@1.1.0:
    resolution: {integrity: ${sha512}}
    dependencies:
      beta: 2.0.1
  /beta@2.0.1:
    resolution: {integrity: ${sha512}}
  /@scope/gamma@3.0.0(alpha@1.1.0):
    resolution: {integrity: ${sha512}}
  /delta@4.2.0:
    resolution: {integrity: ${sha512}}
`,
  ),
  npm(
    'pnpm-lock.yaml',
    'pnpm 9',
    `lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      alpha:
        specifier: ^1.0.0
        version: 1.1.0
      '@scope/gamma':
        specifier: 3.0.0
        version: 3.0.0(alpha@1.1.0)
    devDependencies:
      delta:
        specifier: ^4.0.0
        version: 4.2.0
packages:
  alpha@1.1.0:
    resolution: {integrity: ${sha512}}
  beta@2.0.1:
    resolution: {integrity: ${sha512}}
  '@scope/gamma@3.0.0':
    resolution: {integrity: ${sha512}}
  delta@4.2.0:
    resolution: {integrity: ${sha512}}
snapshots:
  alpha@1.1.0:
    dependencies:
      beta: 2.0.1
  beta@2.0.1: {}
  '@scope/gamma@3.0.0(alpha@1.1.0)': {}
  delta@4.2.0: {}
`,
  ),
  npm(
    'yarn.lock',
    'yarn 1',
    `# yarn lockfile v1


"@scope/gamma@3.0.0":
  version "3.0.0"
  resolved "https://registry.example/@scope/gamma/-/gamma-3.0.0.tgz#${'cd'.repeat(20)}"

alpha@^1.0.0, alpha@^1.1.0:
  version "1.1.0"
  integrity ${sha512}
  dependencies:
    beta "^2.0.0"

beta@^2.0.0:
  version "2.0.1"

delta@^4.0.0:
  version "4.2.0"
`,
  ),
  npm(
    'yarn.lock',
    'yarn 4',
    `__metadata:
  version: 8
  cacheKey: 10c0

"@scope/gamma@npm:3.0.0":
  version: 3.0.0
  resolution: "@scope/gamma@npm:3.0.0"
  checksum: 10c0/${'ab'.repeat(64)}
  languageName: node
  linkType: hard

"alpha@npm:^1.0.0":
  version: 1.1.0
  resolution: "alpha@npm:1.1.0"
  dependencies:
    beta: "npm:^2.0.0"
  linkType: hard

"beta@npm:^2.0.0, beta@npm:^2.0.1":
  version: 2.0.1
  resolution: "beta@npm:2.0.1"

"delta@npm:^4.0.0":
  version: 4.2.0
  resolution: "delta@npm:4.2.0"

"server@workspace:.":
  version: 0.0.0-use.local
  resolution: "server@workspace:."
  dependencies:
    alpha: "npm:^1.0.0"
    "@scope/gamma": "npm:3.0.0"
    delta: "npm:^4.0.0"
  languageName: unknown
  linkType: soft
`,
    { hasHash: false },
  ),
  npm(
    'bun.lock',
    'bun',
    `{
  "lockfileVersion": 1,
  "workspaces": {
    "": { "name": "server", "dependencies": { "alpha": "^1.0.0", "@scope/gamma": "3.0.0" }, "devDependencies": { "delta": "^4.0.0" }, },
  },
  "packages": {
    "alpha": ["alpha@1.1.0", "", { "dependencies": { "beta": "^2.0.0" } }, "${sha512}"],
    "alpha/beta": ["beta@2.0.1", "", {}, "${sha512}"],
    "@scope/gamma": ["@scope/gamma@3.0.0", "", {}, "${sha512}"],
    "delta": ["delta@4.2.0", "", {}, "${sha512}"],
  },
}
`,
  ),
];

const pyproject = `[project]
name = "server"
version = "1.0.0"
dependencies = ["alpha>=1.0", "gamma_pkg==3.0.0"]
[dependency-groups]
dev = ["delta>=4"]
`;

const python = (file: string, title: string, text: string, more: Partial<LockSample> = {}): LockSample => ({
  file,
  title,
  ecosystem: 'pypi',
  files: { 'pyproject.toml': pyproject, [file]: text },
  hasEdges: true,
  hasHash: true,
  ...more,
});

export const pythonSamples: readonly LockSample[] = [
  python(
    'poetry.lock',
    'poetry',
    `[[package]]
name = "alpha"
version = "1.1.0"
optional = false
files = [{file = "alpha-1.1.0.tar.gz", hash = "sha256:${sha256}"}]
[package.dependencies]
Beta = ">=2.0"
[[package]]
name = "beta"
version = "2.0.1"
[[package]]
name = "gamma-pkg"
version = "3.0.0"
[[package]]
name = "delta"
version = "4.2.0"
[metadata]
lock-version = "2.1"
`,
  ),
  python(
    'uv.lock',
    'uv',
    `version = 1
requires-python = ">=3.10"
[[package]]
name = "alpha"
version = "1.1.0"
source = { registry = "https://index.example/simple" }
dependencies = [{ name = "beta" }]
sdist = { url = "https://index.example/alpha-1.1.0.tar.gz", hash = "sha256:${sha256}", size = 1 }
[[package]]
name = "beta"
version = "2.0.1"
source = { registry = "https://index.example/simple" }
[[package]]
name = "gamma-pkg"
version = "3.0.0"
source = { registry = "https://index.example/simple" }
[[package]]
name = "delta"
version = "4.2.0"
source = { registry = "https://index.example/simple" }
[[package]]
name = "server"
version = "1.0.0"
source = { editable = "." }
dependencies = [{ name = "alpha" }, { name = "gamma-pkg" }]
[package.dev-dependencies]
dev = [{ name = "delta" }]
`,
  ),
  python(
    'Pipfile.lock',
    'pipenv',
    JSON.stringify({
      _meta: { 'pipfile-spec': 6 },
      default: {
        alpha: { version: '==1.1.0', hashes: [`sha256:${sha256}`] },
        beta: { version: '==2.0.1' },
        'gamma-pkg': { version: '==3.0.0' },
      },
      develop: { delta: { version: '==4.2.0' } },
    }),
    { hasEdges: false },
  ),
];
