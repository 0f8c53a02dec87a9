import type { Policy } from '../../../base/policy-schema.ts';
import type { Compiled, Gap } from '../gap.ts';
import { describeEndpoint } from '../network.ts';
import { layOut, type PathEntry } from './layout.ts';
import type { Place } from './place.ts';

/** A sandbox profile for macOS. It has been compared with golden files and has not been run. */

/** SBPL strings are like those of Scheme. */
function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}

function filter({ source, type }: PathEntry): string {
  return `(${type === 'folder' ? 'subpath' : 'literal'} ${quote(source)})`;
}

function allow(operations: string, filters: readonly string[]): readonly string[] {
  return filters.length === 0 ? [] : [`(allow ${operations}`, ...filters.map((line) => `  ${line}`), ')'];
}

const always = [
  '(version 1)',
  '(deny default)',
  '(allow process-fork)',
  '(allow process-info* (target self))',
  '(allow signal (target same-sandbox))',
  '(allow sysctl-read)',
  '(allow file-read-metadata)',
  '(allow file-read* (literal "/dev/zero") (literal "/dev/random") (literal "/dev/urandom"))',
  '(allow file-read* file-write-data (literal "/dev/null"))',
];

function networkLines({ network }: Policy): readonly string[] {
  if (network.mode !== 'allowlist') return ['(deny network*)'];
  const open = network.rules.filter(({ host }) => host === '*').map(({ port }) => `(remote tcp ${quote(`*:${port}`)})`);
  return ['(deny network*)', ...allow('network-outbound', Array.from(new Set(open)))];
}

function networkGaps({ network }: Policy): Gap[] {
  if (network.mode === 'fake') {
    const what = 'there is no network of its own to put a fake internet into: the target has none';
    return [{ id: 'fake-network', path: 'network.mode', what, effect: 'closed' }];
  }
  if (network.mode === 'none') return [];
  return network.rules.flatMap((rule, at): Gap[] => {
    if (rule.host === '*') return [];
    const what = `${describeEndpoint(rule)} cannot be reached: a profile knows ports, but neither names nor addresses`;
    return [{ id: 'network-by-name', path: `network.rules[${at}]`, what, effect: 'closed' }];
  });
}

const standingGaps: readonly Gap[] = [
  { id: 'syscalls', path: 'syscalls.deny', what: 'system calls of Linux mean nothing on macOS', effect: 'open' },
  { id: 'cpu-share', path: 'limits.cpuCores', what: 'the share of cores is not kept', effect: 'open' },
  {
    id: 'memory-together',
    path: 'limits.memoryBytes',
    what: 'memory of all processes together is not kept',
    effect: 'open',
  },
  { id: 'processes', path: 'limits.processes', what: 'processes are counted per user, not per box', effect: 'open' },
  {
    id: 'identity',
    path: 'files',
    what: "host name, user names and the files of /etc are the host's own",
    effect: 'open',
  },
];

export function compileSeatbelt(policy: Policy, place: Place): Compiled<string> {
  const { entries, gaps } = layOut(policy, place);
  const pathsWith = (access: 'read' | 'write' | 'execute'): readonly string[] =>
    Array.from(new Set(entries.filter((entry) => entry.access[access]).map(filter)));
  const lines = [
    ...always,
    ...allow('file-read*', [...pathsWith('read'), `(literal ${quote(place.airlock.script)})`]),
    ...allow('file-write*', pathsWith('write')),
    ...allow('process-exec* file-map-executable', pathsWith('execute')),
    ...networkLines(policy),
  ];
  return { value: `${lines.join('\n')}\n`, gaps: [...gaps, ...standingGaps, ...networkGaps(policy)] };
}
