import { basename } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import { type Limits, limitsSchema, type Policy, type Tier, tiers } from '../../../base/policy-schema.ts';
import { findNearest } from '../nearest.ts';
import { tierPolicy } from '../tiers.ts';
import { check, checkKeys, isObject, type JsonObject } from './check.ts';
import { readFiles } from './files.ts';
import { readEnvironment, readSyscalls, readTools } from './names.ts';
import { readNetwork } from './network.ts';
import { noticesOf } from './notices.ts';
import { describeProblem, type Findings, type Notice, type Problem, quote, show } from './problem.ts';

/** Reads what stands in a policy file: every fault at once, each with its place. */

export interface ReadPolicy {
  readonly policy: Policy;
  readonly notices: readonly Notice[];
}

const sections = ['files', 'environment', 'network', 'limits', 'syscalls'] as const;
export const policyFileKeys = ['$schema', 'version', 'name', 'tier', 'extends', ...sections, 'tools'] as const;

const mostProblemsTold = 50;
const longestName = 200;

function refuse(source: string, problems: readonly Problem[]): never {
  const told = problems.slice(0, mostProblemsTold).map((problem) => `  ${describeProblem(problem)}`);
  const rest = problems.length - told.length;
  if (rest > 0) told.push(`  and ${rest} more`);
  throw new UsageError([`${source} is not a policy:`, ...told].join('\n'), {
    hint: 'hotcell policy show LOW prints a complete one',
  });
}

function readTier(fields: JsonObject, key: 'extends' | 'tier', { problems }: Findings): Tier | null {
  const value = fields[key];
  if (value === undefined) return null;
  const tier = tiers.find((name) => typeof value === 'string' && name === value.toUpperCase());
  if (tier !== undefined) return tier;
  const nearest = typeof value === 'string' ? findNearest(value, tiers) : null;
  const expected = `one of ${tiers.map(quote).join(', ')}`;
  problems.push({ path: key, expected, found: show(value), ...(nearest === null ? {} : { nearest }) });
  return null;
}

function readName(fields: JsonObject, source: string, { problems }: Findings): string {
  const { name } = fields;
  if (name === undefined)
    return (
      basename(source)
        .replace(/\.json$/, '')
        .slice(0, longestName) || 'policy'
    );
  if (typeof name === 'string' && name.length >= 1 && name.length <= longestName) return name;
  problems.push({ path: 'name', expected: `text of 1 to ${longestName} characters`, found: show(name) });
  return '';
}

function readLimits(value: unknown, base: Limits | undefined, findings: Findings): Limits | null {
  const given = isObject(value) && base !== undefined ? { ...base, ...value } : value;
  return check(limitsSchema, given, 'limits', findings);
}

/** A rule of the file takes the place of the preset's for the same name. */
function overlay<T>(base: readonly T[], own: readonly T[], keyOf: (rule: T) => string): T[] {
  const replaced = new Set(own.map(keyOf));
  return [...base.filter((rule) => !replaced.has(keyOf(rule))), ...own];
}

function build(fields: JsonObject, source: string, findings: Findings): Policy | null {
  const extended = readTier(fields, 'extends', findings);
  // A preset that was misspelt is one fault, not one per section that it would have given.
  const base = fields.extends === undefined ? null : tierPolicy(extended ?? 'LOW');
  const tier = readTier(fields, 'tier', findings) ?? extended;
  const given = (key: (typeof sections)[number]): boolean => fields[key] !== undefined || base === null;
  const files = given('files') ? readFiles(fields.files, 'files', findings) : [];
  const environment = given('environment') ? readEnvironment(fields.environment, 'environment', findings) : [];
  const network = given('network') ? readNetwork(fields.network, 'network', findings) : base?.network;
  const limits = given('limits') ? readLimits(fields.limits, base?.limits, findings) : base?.limits;
  const deny = given('syscalls') ? readSyscalls(fields.syscalls, 'syscalls', findings) : [];
  const tools = fields.tools === undefined ? null : readTools(fields.tools, 'tools', findings);
  const name = readName(fields, source, findings);
  if (!network || !limits) return null;
  return {
    version: 1,
    name,
    ...(tier === null ? {} : { tier }),
    files: [...(base?.files ?? []), ...files],
    environment: overlay(base?.environment ?? [], environment, (rule) => rule.name),
    network,
    limits,
    syscalls: { deny: overlay(base?.syscalls.deny ?? [], deny, (rule) => rule.name) },
    ...(tools === null ? {} : { tools }),
  };
}

export function parsePolicy(input: unknown, source: string): ReadPolicy {
  const findings: Findings = { problems: [], notices: [] };
  const fields = checkKeys(input, '', policyFileKeys, findings);
  if (fields !== null && fields.version !== undefined && fields.version !== 1) {
    findings.problems.push({ path: 'version', expected: '1', found: show(fields.version) });
  }
  const policy = fields === null ? null : build(fields, source, findings);
  if (policy === null || findings.problems.length > 0) refuse(source, findings.problems);
  return { policy, notices: [...findings.notices, ...noticesOf(policy)] };
}
