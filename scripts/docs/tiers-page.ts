import { type Limits, tiers } from '../../src/base/policy-schema.ts';
import { formatBytes, formatMs } from '../../src/doors/cli/terminal/index.ts';
import { diffPolicies, tierPolicy } from '../../src/engine/policy/index.ts';
import { type Page, table, titled } from './page.ts';

const limitRows: readonly (readonly [keyof Limits, string, (value: number) => string])[] = [
  ['memoryBytes', 'memory', formatBytes],
  ['processes', 'processes and threads', String],
  ['cpuCores', 'cores', String],
  ['wallMs', 'time', formatMs],
  ['outputBytes', 'output', formatBytes],
  ['fileBytes', 'one file', formatBytes],
  ['diskBytes', 'all files written', formatBytes],
  ['openFiles', 'open files of a process', String],
];

function describeNetwork({ mode, rules }: ReturnType<typeof tierPolicy>['network']): string {
  if (mode !== 'allowlist') return mode;
  return rules.map((rule) => `\`${rule.host}:${rule.port}\``).join(', ');
}

export const tiersPage: Page = {
  path: 'docs/reference/tiers.md',
  render() {
    const policies = tiers.map(tierPolicy);
    const rows = [
      ...limitRows.map(([limit, name, format]) => [name, ...policies.map((policy) => format(policy.limits[limit]))]),
      ['network', ...policies.map((policy) => describeNetwork(policy.network))],
      ['environment variables', ...policies.map((policy) => String(policy.environment.length))],
      ['system calls refused', ...policies.map((policy) => String(policy.syscalls.deny.length))],
    ];
    const steps = tiers.slice(1).flatMap((tier, index) => {
      const before = tiers[index] ?? tier;
      const more = diffPolicies(tierPolicy(before), tierPolicy(tier)).filter(({ subject }) => subject !== 'limits');
      return [
        `## What ${tier} allows that ${before} does not`,
        table(
          ['subject', 'what'],
          more.map(({ subject, what }) => [subject, `\`${what}\``]),
        ).trim(),
      ];
    });
    const body = [
      "A tier is a policy that comes with Hotcell. LOW is for strangers, CRITICAL for software that one would run without a box. Each allows everything that the one before it allows, and more; none lets the target see the files of the machine's users.",
      table(['', ...tiers], rows).trim(),
      'The network rules need a gate that knows names. Until there is one, a box with a network of its own reaches nobody, whatever its tier; the landlock backend, which has none, opens the ports of rules for `*` and refuses the others. The gaps in the record of the box say so.',
      ...steps,
    ];
    return titled('Tiers', body.join('\n\n'));
  },
};
