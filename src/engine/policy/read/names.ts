import { describeChanges, normaliseText } from '../../../base/normalise.ts';
import {
  type EnvironmentRule,
  environmentRuleSchema,
  type Policy,
  type SyscallRule,
  syscallRuleSchema,
  toolRuleSchema,
} from '../../../base/policy-schema.ts';
import { findNearest } from '../nearest.ts';
import { isSyscallName, knownSyscallNames } from '../syscalls/names.ts';
import { check, checkKeys, checkList, isObject } from './check.ts';
import { type Findings, joinPath, quote } from './problem.ts';

/** `environment`, `syscalls` and `tools`: lists whose items are known by a name. */

const mostNames = 1000;
const mostTools = 10_000;

/** A name that changes when it is normalised is not the name it looks like. */
function hasHiddenCharacters(name: unknown, path: string, { problems }: Findings): boolean {
  const changes = typeof name === 'string' ? normaliseText(name).changes : [];
  if (typeof name !== 'string' || changes.length === 0) return false;
  const found = `${quote(name)} (normalised: ${describeChanges(changes)})`;
  problems.push({ path, expected: 'a name without invisible or look-alike characters', found });
  return true;
}

function named(item: unknown): unknown {
  return typeof item === 'string' ? { name: item } : item;
}

function nameOf(item: unknown): unknown {
  return isObject(item) ? item.name : undefined;
}

export function readEnvironment(value: unknown, path: string, findings: Findings): EnvironmentRule[] {
  const values = new Map<string, string | undefined>();
  return checkList(value, path, mostNames, findings).flatMap((item, at): EnvironmentRule[] => {
    const itemPath = joinPath(path, at);
    const given = named(item);
    if (hasHiddenCharacters(nameOf(given), joinPath(itemPath, 'name'), findings)) return [];
    const rule = check(environmentRuleSchema, given, itemPath, findings);
    if (rule === null) return [];
    if (values.has(rule.name) && values.get(rule.name) !== rule.value) {
      const expected = `one rule for ${rule.name}`;
      findings.problems.push({ path: itemPath, expected, found: 'a second one with another value' });
    }
    values.set(rule.name, rule.value);
    return [rule];
  });
}

export function readSyscalls(value: unknown, path: string, findings: Findings): SyscallRule[] {
  const fields = checkKeys(value, path, ['deny'], findings);
  if (fields === null) return [];
  const listPath = joinPath(path, 'deny');
  return checkList(fields.deny, listPath, mostNames, findings).flatMap((item, at): SyscallRule[] => {
    const itemPath = joinPath(listPath, at);
    const given = named(item);
    if (hasHiddenCharacters(nameOf(given), joinPath(itemPath, 'name'), findings)) return [];
    const rule = check(syscallRuleSchema, given, itemPath, findings);
    if (rule === null || isSyscallName(rule.name)) return rule === null ? [] : [rule];
    const nearest = findNearest(rule.name, knownSyscallNames());
    findings.problems.push({
      path: joinPath(itemPath, 'name'),
      expected: 'the name of a system call of Linux, or of one with a guard',
      found: quote(rule.name),
      ...(nearest === null ? {} : { nearest }),
    });
    return [];
  });
}

type ToolRules = NonNullable<Policy['tools']>;

/** Servers may call their tools what they like, so a strange name is told and kept. */
export function readTools(value: unknown, path: string, findings: Findings): ToolRules {
  return checkList(value, path, mostTools, findings).flatMap((item, at): ToolRules => {
    const itemPath = joinPath(path, at);
    const rule = check(toolRuleSchema, item, itemPath, findings);
    if (rule === null) return [];
    const { changes } = normaliseText(rule.tool);
    if (changes.length > 0) {
      const what = `${quote(rule.tool)} is not what it looks like (normalised: ${describeChanges(changes)}); it is kept as written`;
      findings.notices.push({ id: 'unusual-characters', path: joinPath(itemPath, 'tool'), what });
    }
    return [rule];
  });
}
