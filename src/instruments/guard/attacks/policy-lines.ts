import { posix } from 'node:path';
import type { Access, FileRule, Policy } from '../../../base/policy-schema.ts';
import { allowsConnection } from '../../../engine/policy/index.ts';
import { cleanPath, isWithin } from '../../../engine/policy/paths.ts';
import type { PolicyLine, Stopped } from './contract.ts';
import type { Reaches } from './read-attacks.ts';

/** Which line of a policy stands in the way of something, or that none allows it and which come nearest. */

const mostNearest = 3;
const verbs: Readonly<Record<Access, string>> = { read: 'read', write: 'write to', execute: 'run' };

export function policyLines({ files, network, tools = [] }: Policy): readonly PolicyLine[] {
  const parts = [
    ...files.map(({ access, path }, at) => ({ path: `files[${at}]`, text: `${access} ${path}` })),
    { path: 'network.mode', text: `network ${network.mode}` },
    ...network.rules.map(({ host, port }, at) => ({ path: `network.rules[${at}]`, text: `connect ${host}:${port}` })),
    ...tools.map(({ tool, verdict }, at) => ({ path: `tools[${at}]`, text: `${verdict} ${tool}` })),
  ];
  return parts.map((part, at) => ({ number: at + 1, ...part }));
}

export function describeLine({ number, text }: PolicyLine): string {
  return `line ${number} (${text})`;
}

/** Folders that two paths have in common. */
function shared(left: string, right: string): number {
  const [one, other] = [left.split('/'), right.split('/')];
  let count = 0;
  while (count < one.length && one[count] === other[count]) count += 1;
  return count;
}

function gives(access: Access, wanted: Access): boolean {
  return access === wanted || wanted === 'read';
}

function fileStop(policy: Policy, wanted: Access, path: string): Stopped | null {
  const lines = policyLines(policy);
  const covering = policy.files.flatMap((rule, at) => (isWithin(path, cleanPath(rule.path)) ? [{ rule, at }] : []));
  if (covering.some(({ rule }) => gives(rule.access, wanted))) return null;
  const what = `to ${verbs[wanted]} ${path}`;
  const [weaker] = covering.toSorted((one, other) => other.rule.path.length - one.rule.path.length);
  const line = weaker === undefined ? null : (lines[weaker.at] ?? null);
  const close = (rule: FileRule): number => shared(cleanPath(rule.path), posix.normalize(path));
  const nearest = policy.files
    .map((rule, at) => ({ rule, at, near: close(rule) }))
    .filter(({ near, rule }) => near > 1 && !rule.path.startsWith('{'))
    .toSorted((one, other) => other.near - one.near)
    .slice(0, mostNearest)
    .flatMap(({ at }) => lines[at] ?? []);
  const says =
    line === null
      ? `no line allows it ${what}${nearest[0] === undefined ? '' : `; the nearest is ${describeLine(nearest[0])}`}`
      : `${describeLine(line)} does not allow it ${what}`;
  return { wanted: what, line, nearest, says };
}

function hostStop(policy: Policy, host: string, port: number): Stopped | null {
  const what = `to connect to ${host}:${port}`;
  if (policy.network.mode === 'fake' || allowsConnection(policy, host, port)) return null;
  const lines = policyLines(policy).filter(({ path }) => path.startsWith('network'));
  const mode = lines.find(({ path }) => path === 'network.mode') ?? null;
  if (policy.network.mode === 'none') {
    return {
      wanted: what,
      line: mode,
      nearest: [],
      says: `${mode === null ? 'the policy' : describeLine(mode)} does not allow it ${what}`,
    };
  }
  const nearest = lines.filter(({ path }) => path !== 'network.mode').slice(0, mostNearest);
  const near = nearest[0] === undefined ? '' : `; the nearest is ${describeLine(nearest[0])}`;
  return { wanted: what, line: null, nearest, says: `no line allows it ${what}${near}` };
}

/** Null where the policy allows it. */
export function findStop(policy: Policy, reaches: Reaches): Stopped | null {
  return reaches.is === 'file'
    ? fileStop(policy, reaches.access, reaches.path)
    : hostStop(policy, reaches.host, reaches.port);
}
