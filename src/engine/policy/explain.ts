import type { Limits, Policy } from '../../base/policy-schema.ts';
import { forTerminal, untrusted } from '../../base/untrusted.ts';
import { describeEndpoint } from './network.ts';

/** A policy in plain words, for people who decide about it. */

const safe = (text: string): string => forTerminal(untrusted(text));

function because(why: string | undefined): string {
  return why === undefined || why === '' ? '' : `: ${safe(why)}`;
}

/** Rules with the same reason share a line. */
function byReason<T extends { readonly why?: string | undefined }>(
  rules: readonly T[],
  nameOf: (rule: T) => string,
): string[] {
  const groups = new Map<string, string[]>();
  for (const rule of rules) {
    const reason = because(rule.why);
    groups.set(reason, [...(groups.get(reason) ?? []), safe(nameOf(rule))]);
  }
  return Array.from(groups, ([reason, names]) => `  ${names.join(' ')}${reason}`);
}

function section(title: string, lines: readonly string[], otherwise: string): readonly string[] {
  return lines.length === 0 ? [otherwise] : [title, ...lines];
}

function explainFiles({ files }: Policy): readonly string[] {
  const of = (access: string): string[] =>
    byReason(
      files.filter((rule) => rule.access === access),
      ({ path }) => path,
    );
  return [
    ...section('It may run programs from, and read:', of('execute'), 'It may run no program.'),
    ...section('It may read:', of('read'), 'It may read nothing else.'),
    ...section('It may write and read:', of('write'), 'It may write nothing.'),
    'Everything else on the disk does not exist for it.',
  ];
}

function explainNetwork({ network }: Policy): readonly string[] {
  if (network.mode === 'none') return ['It has no network.'];
  if (network.mode === 'fake') return ['It sees a fake internet: everything answers, nothing leaves.'];
  return section(
    'It may connect to:',
    byReason(network.rules, describeEndpoint),
    'It may connect to nobody: the list is empty.',
  );
}

function explainEnvironment({ environment }: Policy): readonly string[] {
  const fixed = environment.flatMap(({ name, value, why }) =>
    value === undefined ? [] : [`  ${name} is always ${JSON.stringify(safe(value))}${because(why)}`],
  );
  const free = byReason(
    environment.filter(({ value }) => value === undefined),
    ({ name }) => name,
  );
  return section(
    'It may be given these environment variables, and no others:',
    [...fixed, ...free],
    'It is given no environment variables.',
  );
}

const units: readonly (readonly [unit: string, size: number])[] = [
  ['GiB', 2 ** 30],
  ['MiB', 2 ** 20],
  ['KiB', 2 ** 10],
];

function bytes(count: number): string {
  const [unit, size] = units.find(([, large]) => count >= large && count % large === 0) ?? ['bytes', 1];
  return `${count / size} ${unit}`;
}

function duration(milliseconds: number): string {
  if (milliseconds >= 3_600_000) return `${milliseconds / 3_600_000} h`;
  return milliseconds >= 60_000 ? `${milliseconds / 60_000} min` : `${milliseconds / 1000} s`;
}

const limitSentences: { readonly [name in keyof Limits]: (value: number) => string } = {
  memoryBytes: (value) => `memory: ${bytes(value)} for all its processes together`,
  processes: (value) => `processes and threads: ${value}`,
  cpuCores: (value) => `processor: ${value === 1 ? 'one core' : `${value} cores`}`,
  wallMs: (value) => `time: ${duration(value)}, then everything is ended`,
  outputBytes: (value) => `output: ${bytes(value)}`,
  fileBytes: (value) => `one file: ${bytes(value)}`,
  diskBytes: (value) => `all files it writes: ${bytes(value)}`,
  openFiles: (value) => `open files per process: ${value}`,
};

function explainLimits({ limits }: Policy): readonly string[] {
  return [
    'It may use:',
    ...(Object.keys(limitSentences) as (keyof Limits)[]).map((name) => `  ${limitSentences[name](limits[name])}`),
  ];
}

function explainSyscalls({ syscalls }: Policy): readonly string[] {
  return section(
    'The kernel refuses it these calls:',
    byReason(syscalls.deny, ({ name }) => name),
    'The kernel refuses it no call.',
  );
}

function explainTools({ tools }: Policy): readonly string[] {
  if (tools === undefined) return [];
  const lines = (['allow', 'ask', 'deny'] as const).flatMap((verdict) =>
    byReason(
      tools.filter((rule) => rule.verdict === verdict),
      ({ tool }) => tool,
    ).map((line) => `  ${verdict}:${line.slice(1)}`),
  );
  return section('Of its tools:', lines, 'None of its tools may be called.');
}

/** Lines grouped by subject, each with its reason; ends with a new line. */
export function explainPolicy(policy: Policy): string {
  const made = policy.tier === undefined || policy.tier === policy.name ? '' : `, made from the tier ${policy.tier}`;
  const parts = [explainFiles, explainNetwork, explainEnvironment, explainLimits, explainSyscalls, explainTools];
  const explained = parts.map((explain) => explain(policy)).filter((lines) => lines.length > 0);
  const lines = [`The policy ${safe(policy.name)}${made}.`, ...explained.flatMap((part) => ['', ...part])];
  return `${lines.join('\n')}\n`;
}
