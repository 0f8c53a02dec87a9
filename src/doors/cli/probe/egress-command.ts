import { z } from 'zod';
import { type CommandDefinition, defineCommand } from '../definition.ts';

export const egressCommand: CommandDefinition = defineCommand({
  name: 'egress',
  summary: 'hold the containers of a network to the scope, by rules of the host',
  description: [
    'Writes the scope as rules of the host for every container of a Docker network: TCP to its targets on its ports, the',
    'named resolver, replies to those who connect in, and the containers of the network among themselves. All else that',
    'they send, through the host or to it, is dropped, and logged at most five times a minute. Rules of the same network',
    'are replaced in one step. They end with the time of the scope, with --down, and with the next start of the machine.',
  ].join(' '),
  options: [
    { flags: '--network <name>', description: 'a bridge network of the engine on this machine' },
    { flags: '--subnet <cidr>', description: 'the subnet itself, where there is no engine to ask', isRepeatable: true },
    {
      flags: '--bridge <interface>',
      description: 'with --subnet: the interface of the host that its containers are on',
    },
    { flags: '--scope <file>', description: 'who may be scanned; or HOTCELL_PROBE_SCOPE' },
    { flags: '--dns-resolver <ip>', description: 'may be asked for names, on port 53', isRepeatable: true },
    { flags: '--with <program>', description: 'nft or iptables; default: nft where it works' },
    { flags: '--dry-run', description: 'print the rules and set nothing; needs no root' },
    { flags: '--down', description: 'remove the rules; fine when there are none' },
  ],
  examples: [
    { line: 'hotcell probe egress --network redbox --scope scope.json', says: 'before the containers are started' },
    { line: 'hotcell probe egress --subnet 172.28.0.0/24 --scope scope.json --dry-run', says: 'what would be set' },
    { line: 'hotcell probe egress --network redbox --down', says: 'remove them' },
  ],
  exits: [
    { code: '0', when: 'the rules are in force, as read back; or removed; or printed' },
    { code: '2', when: 'there is no scope, it is not its time, or there is no such network' },
    { code: '4', when: 'the rules could not be set: the containers are not held' },
  ],
  // What a value may be is said by a UsageError of the run, not here.
  input: z.object({
    network: z.string().optional(),
    subnet: z.array(z.string()).default([]),
    bridge: z.string().optional(),
    scope: z.string().optional(),
    dnsResolver: z.array(z.string()).default([]),
    with: z.string().optional(),
    dryRun: z.boolean().default(false),
    down: z.boolean().default(false),
  }),
  async run(wishes, _, door) {
    const { runProbeEgress } = await import('./egress.ts');
    return runProbeEgress(wishes, door);
  },
});
