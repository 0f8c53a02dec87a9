import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { runTool, runToolOrFail } from '../../../src/base/process.ts';
import { openSampleDoor } from '../../../src/doors/cli/analyze/sample-door.ts';
import { type EgressWishes, runProbeEgress } from '../../../src/doors/cli/probe/egress.ts';
import { hostRules, hostRulesIptables, type RunHost } from '../../../src/instruments/probe/host-rules/index.ts';
import { needNetwork, needTool, newRunId, whyNoNetwork } from '../net/lab.ts';

/** The command on a host of its own: a namespace with a bridge and nothing else. */

const space = `hr-${newRunId()}`;
const folder = mkdtempSync(join(tmpdir(), 'hotcell-egress-'));
const inside = (argv: readonly string[]): readonly string[] => [`--net=/run/netns/${space}`, ...argv];
const runHost: RunHost = (file, args, options) => runTool('nsenter', inside([file, ...args]), options);
const bridge = 'br-84ff2891f5ab';

beforeAll(async () => {
  const scope = {
    targets: ['203.0.113.5', '10.20.0.0/16', '2001:db8::/64', '127.0.0.1'],
    ports: [443, '8000-8100'],
    authorization: { by: 'the owner', reference: 'letter 7' },
  };
  writeFileSync(join(folder, 'scope.json'), JSON.stringify(scope));
  if ((await whyNoNetwork()) !== null) return;
  await runToolOrFail('ip', ['netns', 'add', space]);
  await runToolOrFail('ip', ['-n', space, 'link', 'add', bridge, 'type', 'bridge']);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  if ((await whyNoNetwork()) === null) await runTool('ip', ['netns', 'delete', space]);
});
beforeEach(needNetwork);

async function egress(wishes: Partial<EgressWishes>, run: RunHost = runHost) {
  const { door, stdout, stderr } = await openSampleDoor({ folder, home: folder });
  const usual = { subnet: [], dnsResolver: [], dryRun: false, down: false, scope: 'scope.json' };
  const code = await runProbeEgress({ ...usual, ...wishes }, { ...door, caller: { ...door.caller, userId: 0 } }, run);
  return { code, out: stdout(), err: stderr() };
}

const ruleset = async (): Promise<string> => (await runHost('nft', ['list', 'ruleset'])).stdout.toString();

it('sets exactly what it prints, tells of it, and removes it', async () => {
  const wishes = { subnet: ['172.28.0.0/24', 'fd28::/64'], bridge, dnsResolver: ['203.0.113.53'] };
  const printed = await egress({ ...wishes, dryRun: true });
  expect(await ruleset()).toBe('');
  expect((await runHost('nft', ['-c', '-f', '-'], { input: printed.out })).code).toBe(0);
  await runHost('nft', ['-f', '-'], { input: printed.out });
  const byHand = await ruleset();
  const { code, out, err } = await egress(wishes);
  expect(await ruleset()).toBe(byHand);
  expect(code).toBe(0);
  expect(out).toContain(`held: 172.28.0.0/24, fd28::/64, interface ${bridge}`);
  expect(out).toContain('reaches 3 addresses or ranges on TCP 443,8000-8100');
  expect(out).toContain('asks 203.0.113.53 for names');
  expect(err).toContain("127.0.0.1 is the container's own loopback");
  // The order of subnets does not matter, and neither does their number of removals.
  for (const subnet of [wishes.subnet.toReversed(), wishes.subnet])
    expect(await egress({ subnet, down: true })).toMatchObject({ code: 0 });
  expect(await ruleset()).not.toContain('hotcell');
});

it('asks the engine for the subnets of a network and its bridge', async () => {
  const asked: (readonly string[])[] = [];
  const described = [
    {
      Name: 'redbox',
      Id: `${bridge.slice(3)}94c413e53a488bdb7fb20e3554d9c52755f50fbd4b653972142f`,
      Driver: 'bridge',
      IPAM: { Config: [{ Subnet: '172.18.0.0/16' }] },
      Options: {},
    },
  ];
  const withEngine: RunHost = (file, args, options) => {
    if (file !== 'docker') return runHost(file, args, options);
    asked.push(args.slice(2));
    return runTool('printf', ['%s', JSON.stringify(described)], options);
  };
  const { out } = await egress({ network: 'redbox' }, withEngine);
  expect(asked).toEqual([['network', 'inspect', 'redbox']]);
  expect(out).toContain(`held: 172.18.0.0/16, interface ${bridge}`);
  expect(await ruleset()).toContain('table inet hotcell_egress_redbox {');
  // The network may be gone by then: nobody is asked.
  await egress({ network: 'redbox', down: true }, withEngine);
  expect(asked).toHaveLength(1);
  expect(await ruleset()).not.toContain('hotcell_egress_redbox');
});

const ipv4 = fc.tuple(fc.ipV4(), fc.integer({ min: 1, max: 32 })).map(([address, length]) => `${address}/${length}`);
const ipv6 = fc.tuple(fc.ipV6(), fc.integer({ min: 1, max: 128 })).map(([address, length]) => `${address}/${length}`);
const range = fc.oneof(ipv4, ipv6, fc.ipV4(), fc.constantFrom('0.0.0.0/0', '::/0', '255.255.255.255', '::/1'));
const port = fc
  .tuple(fc.integer({ min: 1, max: 65_535 }), fc.nat(300))
  .map(([from, more]) => ({ from, to: Math.min(65_535, from + more) }));
const reach = fc.record({
  ranges: fc.array(
    range.filter((text) => !/^(0*:)*ffff:|\..*:|:.*\./i.test(text)),
    { maxLength: 30 },
  ),
  ports: fc.oneof(fc.constant('all' as const), fc.array(port, { minLength: 1, maxLength: 20 })),
  until: fc.option(fc.date({ min: new Date('2026-01-01'), max: new Date('2037-01-01'), noInvalidDate: true })),
  fingerprint: fc.option(fc.constant('0f'.repeat(32))),
});
const held = fc.record({
  name: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,40}$/),
  subnets: fc.uniqueArray(fc.constantFrom('172.28.0.0/24', '10.0.0.0/8', '10.3.0.0/16', 'fd28::/64', 'fd00::/32'), {
    minLength: 1,
  }),
  bridge: fc.option(fc.constant(bridge)),
  resolvers: fc.uniqueArray(fc.constantFrom('203.0.113.53', '2001:db8::53', '10.0.0.53'), { maxLength: 3 }),
});

it('writes what nft and iptables understand, whatever the scope', async (context) => {
  await needTool(context, 'iptables');
  for (const [at, [scope, options]] of fc.sample(fc.tuple(reach, held), 50).entries()) {
    const text = hostRules(scope, options);
    const { code, stderr } = await runHost('nft', ['-c', '-f', '-'], { input: text });
    expect([text, code, stderr.toString()]).toEqual([text, 0, '']);
    if (at % 10 !== 0) continue;
    const { ipv4: rules, ipv6: rules6 } = hostRulesIptables(scope, options);
    for (const [program, input] of [
      ['iptables-restore', rules],
      ['ip6tables-restore', rules6],
    ] as const) {
      const declared = input.replace('*filter\n', '*filter\n:DOCKER-USER - [0:0]\n');
      const tested = await runHost(program, ['--test', '--noflush'], { input: declared });
      expect([declared, tested.code, tested.stderr.toString()]).toEqual([declared, 0, '']);
    }
  }
});
