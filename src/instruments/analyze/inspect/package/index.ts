import { z } from 'zod';
import type { Finding } from '../../../../base/finding-schema.ts';
import { asObject, asString } from '../../../../base/json-shape.ts';
import { readRules } from '../../../../base/rules-folder.ts';
import type { Inspected, Inspection } from '../contract.ts';
import { readJson, readText } from '../read-file.ts';
import { excerpt, makeFinding } from '../rule.ts';
import { inspectDifference } from './difference.ts';
import { inspectFiles } from './files.ts';
import { commandsOf, type Hook, inspectHooks } from './hooks.ts';
import { findLookalike } from './lookalike.ts';
import { inspectRegistry } from './registry.ts';
import type { RegistryRecord } from './registry-record.ts';
import { packageRules } from './rules.ts';

export type { Hook } from './hooks.ts';
export { findLookalike } from './lookalike.ts';
export { type RegistryRecord, recordOfFacts, recordOfPackument, recordOfPypi } from './registry-record.ts';
export { packageRules } from './rules.ts';

export interface PackageOptions {
  readonly now: Date;
  /** What the registry says, when the target came from one. */
  readonly registry?: RegistryRecord;
  /** The folder of its declared repository, when that is at hand. */
  readonly repository?: Inspected;
}

export interface PackageReport {
  readonly hooks: readonly Hook[];
  readonly commands: readonly string[];
  readonly lookalikeOf: string | undefined;
}

/** Where a claim about the whole package is placed. */
const manifests: ReadonlySet<string> = new Set(['package.json', 'pyproject.toml', 'setup.py', 'PKG-INFO']);

const commandsSchema = z.strictObject({ note: z.string(), commands: z.array(z.string()) });

function inspectCommands(inspected: Inspected): {
  readonly findings: readonly Finding[];
  readonly names: readonly string[];
} {
  const known = new Set(readRules('package/commands.json', commandsSchema).commands);
  const commands = commandsOf(inspected);
  const findings = commands
    .filter(({ name }) => known.has(name.toLowerCase()))
    .map(({ name, path }) =>
      makeFinding(packageRules.shadowing, {
        identity: [name],
        title: `Installs a command named ${name}`,
        locations: [{ path }],
        evidence: [{ kind: 'package', ref: path, excerpt: excerpt(name) }],
      }),
    );
  return { findings, names: commands.map(({ name }) => name) };
}

/** The name under which it is published: the registry's word before its own. */
function nameOf(
  inspected: Inspected,
  registry: RegistryRecord | undefined,
): { readonly ecosystem: 'npm' | 'pypi'; readonly name: string; readonly path: string } | undefined {
  if (registry !== undefined && registry.name !== '')
    return {
      ecosystem: registry.ecosystem,
      name: registry.name,
      path: registry.ecosystem === 'npm' ? 'package.json' : 'pyproject.toml',
    };
  const npm = asString(asObject(readJson(inspected, 'package.json')).name);
  if (npm !== undefined) return { ecosystem: 'npm', name: npm, path: 'package.json' };
  const read = inspected.files.includes('pyproject.toml')
    ? readText(inspected.root, 'pyproject.toml')
    : { problem: 'none' };
  const python = 'problem' in read ? undefined : /^\s*name\s*=\s*["']([\w.-]{1,200})["']/m.exec(read.text)?.[1];
  return python === undefined ? undefined : { ecosystem: 'pypi', name: python, path: 'pyproject.toml' };
}

export function inspectPackage(inspected: Inspected, options: PackageOptions): Inspection<PackageReport> {
  const hooks = inspectHooks(inspected);
  const commands = inspectCommands(inspected);
  const files = inspectFiles(inspected);
  const named = nameOf(inspected, options.registry);
  const lookalikeOf = named === undefined ? undefined : findLookalike(named.ecosystem, named.name);
  const lookalike =
    named === undefined || lookalikeOf === undefined
      ? []
      : [
          makeFinding(packageRules.typosquat, {
            identity: [named.name],
            title: `${named.name} looks like ${lookalikeOf}`,
            locations: [{ path: named.path }],
            evidence: [{ kind: 'package', ref: named.name, excerpt: excerpt(`${named.name} / ${lookalikeOf}`) }],
          }),
        ];
  return {
    findings: [
      ...hooks.findings,
      ...commands.findings,
      ...lookalike,
      ...files.findings,
      ...(options.registry === undefined
        ? []
        : inspectRegistry(
            options.registry,
            options.now,
            inspected.files.find((path) => manifests.has(path)),
          )),
      ...(options.repository === undefined ? [] : inspectDifference(inspected, options.repository)),
    ],
    issues: files.issues,
    data: { hooks: hooks.hooks, commands: commands.names, lookalikeOf },
  };
}
