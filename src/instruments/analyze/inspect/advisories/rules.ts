import type { Rule } from '../rule.ts';

/** Examples are a package and its version, judged by the bundled list at a time when that is fresh. */
export interface PackageExample {
  readonly ecosystem: 'npm' | 'pypi';
  readonly name: string;
  readonly version: string;
  /** When the question is asked: knowledge grows old. */
  readonly sources?: 'bundled' | 'covering';
}

export const advisoryRules = {
  vulnerability: {
    id: 'advisory/known-vulnerability',
    title: 'A package with a known vulnerability',
    severity: 'high',
    axis: 'exposure',
    cwe: ['CWE-1395'],
    owasp: ['MCP04'],
    what: 'A version of the server, or of a package it depends on, lies in the affected range of a published advisory.',
    why: 'The weakness and often its exploit are public. A range alone is exposure: a build can carry the fix, and code that is never reached does no harm, so the severity is one step lower when the package is not imported.',
    remediation: 'Update to a version outside of the affected range.',
    fires: { ecosystem: 'npm', name: 'mcp-remote', version: '0.1.15' },
    silent: { ecosystem: 'npm', name: 'mcp-remote', version: '0.1.16' },
  },
  malicious: {
    id: 'advisory/malicious-package',
    title: 'A package that is known as malicious',
    severity: 'critical',
    axis: 'exposure',
    cwe: ['CWE-506'],
    owasp: ['MCP04'],
    what: 'The server, or a package it depends on, is listed as malicious.',
    why: 'It was made or taken over to do harm.',
    remediation: 'Do not run it. Where it ran, replace every secret that it could read.',
    fires: { ecosystem: 'npm', name: 'postmark-mcp', version: '1.0.16' },
    silent: { ecosystem: 'npm', name: 'postmark-mcp', version: '1.0.12' },
  },
  unmaintained: {
    id: 'advisory/unmaintained-package',
    title: 'A package that gets no fixes any more',
    severity: 'low',
    axis: 'exposure',
    cwe: ['CWE-1104'],
    owasp: ['MCP04'],
    what: 'The authors have archived the package.',
    why: 'The next weakness that is found in it stays.',
    remediation: 'Use a successor that is maintained.',
    fires: { ecosystem: 'npm', name: '@modelcontextprotocol/server-slack', version: '2025.4.25' },
    silent: { ecosystem: 'npm', name: '@modelcontextprotocol/server-everything', version: '2025.9.12' },
  },
  undecided: {
    id: 'advisory/undecided-version',
    title: 'An advisory whose range cannot be compared with the version',
    severity: 'medium',
    axis: 'exposure',
    cwe: ['CWE-1395'],
    owasp: ['MCP04'],
    what: 'There is an advisory about this package, but its affected versions, or the version that is used, are not known.',
    why: 'It may or may not be affected; to leave it out would say that it is not.',
    remediation: 'Read the advisory and compare by hand, and pin an exact version.',
    fires: { ecosystem: 'npm', name: 'codehooks-mcp-server', version: '1.0.0' },
    silent: { ecosystem: 'npm', name: 'mcp-remote', version: '0.1.15' },
  },
  unanswered: {
    id: 'advisory/not-answered',
    title: 'Nobody could be asked for every known vulnerability',
    severity: 'info',
    axis: 'exposure',
    cwe: ['CWE-1395'],
    owasp: ['MCP04'],
    what: 'No source that covers the ecosystem was reachable and fresh, or some packages could not be asked about.',
    why: 'No answer is not a good answer: the number of known vulnerabilities is unknown, not zero.',
    remediation: 'Import an OSV database (`hotcell db update` or `hotcell db import`), or allow the network.',
    fires: { ecosystem: 'npm', name: 'left-pad', version: '1.3.0', sources: 'bundled' },
    silent: { ecosystem: 'npm', name: 'left-pad', version: '1.3.0', sources: 'covering' },
  },
} as const satisfies Readonly<Record<string, Rule<PackageExample>>>;
