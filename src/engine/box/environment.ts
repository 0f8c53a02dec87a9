import { UsageError } from '../../base/errors.ts';
import type { Policy } from '../../base/policy-schema.ts';
import type { BoxFolders } from './contract.ts';

/** The target's environment: the policy's allowlist, filled with values made for this box. Nothing of the host's. */

export interface EnvironmentFacts {
  readonly folders: BoxFolders;
  readonly userName: string;
}

export function buildEnvironment(
  policy: Policy,
  facts: EnvironmentFacts,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const rules = new Map(policy.environment.map((rule) => [rule.name, rule]));
  for (const [name, value] of Object.entries(given)) {
    const rule = rules.get(name);
    if (rule === undefined) {
      throw new UsageError(
        `the policy "${policy.name}" does not let the variable ${JSON.stringify(name)} into the box`,
        {
          hint: `add {"name": ${JSON.stringify(name)}} to its "environment"`,
        },
      );
    }
    if (rule.value !== undefined && rule.value !== value) {
      throw new UsageError(`the policy "${policy.name}" fixes the variable ${name}; it cannot be given`);
    }
    if (value.includes('\0')) throw new UsageError(`the variable ${name} has a NUL in it`);
  }
  const ordinary: Readonly<Record<string, string>> = {
    HOME: facts.folders.home,
    USER: facts.userName,
    LOGNAME: facts.userName,
    TMPDIR: facts.folders.tmp,
    SHELL: '/bin/bash',
    LANG: 'C.UTF-8',
    PATH: '/usr/local/bin:/usr/bin:/bin',
  };
  const environment: Record<string, string> = {};
  for (const { name, value } of policy.environment) {
    const chosen = value ?? given[name] ?? ordinary[name];
    if (chosen !== undefined) environment[name] = chosen;
  }
  return environment;
}
