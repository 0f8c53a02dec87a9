import type { Rule } from '../rule.ts';

/** Examples are the files of a target. */
export type FilesExample = Readonly<Record<string, string>>;

const lockOf = (packages: object): string =>
  JSON.stringify({ name: 'server', version: '1.0.0', lockfileVersion: 3, packages });

export const sbomRules = {
  broken: {
    id: 'sbom/broken-lock',
    title: 'A lock file could not be read',
    severity: 'low',
    axis: 'exposure',
    cwe: ['CWE-1104'],
    owasp: ['MCP04'],
    what: 'A lock file or manifest that is not in its own format, too large, or that names packages it does not list.',
    why: 'What it would have brought is not known, so nothing can be said about vulnerabilities in it.',
    remediation: 'Write the lock file again with its package manager and ship it unchanged.',
    fires: {
      'package.json': '{"name":"server","version":"1.0.0"}',
      'package-lock.json': '{"lockfileVersion": 3, "packages": ',
    },
    silent: {
      'package.json': '{"name":"server","version":"1.0.0"}',
      'package-lock.json': lockOf({ '': { name: 'server', version: '1.0.0' } }),
    },
  },
  incomplete: {
    id: 'sbom/incomplete-tree',
    title: 'The tree of dependencies is not known in full',
    severity: 'info',
    axis: 'exposure',
    cwe: ['CWE-1104'],
    owasp: ['MCP04'],
    what: 'Dependencies are asked for by range or without a lock file, so versions and transitive packages are unknown.',
    why: 'An install picks whatever is newest on that day. A list of vulnerabilities over an unknown tree is not a clean one.',
    remediation:
      'Publish with a lock file (npm-shrinkwrap.json, uv.lock or requirements with hashes), or pin exact versions.',
    fires: { 'package.json': '{"name":"server","version":"1.0.0","dependencies":{"zod":"^3.0.0"}}' },
    silent: { 'package.json': '{"name":"server","version":"1.0.0"}' },
  },
} as const satisfies Readonly<Record<string, Rule<FilesExample>>>;
