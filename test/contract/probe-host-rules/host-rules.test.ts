import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  applyHostRules,
  describeHostRules,
  planHostRules,
  type ReachList,
  type RuleMaker,
  type RulePlan,
  removeHostRules,
  ruleMakers,
  tableName,
} from '../../../src/instruments/probe/host-rules/index.ts';
import { needNetwork, needTool, whyNoNetwork } from '../net/lab.ts';
import { allowed, arrivals, forbidden, published, reach, resolvers } from './cases.ts';
import { at, bridge, shut, subnets, tcp, udp, World } from './world.ts';

const world = new World();
const name = 'test-net';
const table = tableName(name);

const planned = (changes: Partial<ReachList> = {}): RulePlan =>
  planHostRules({ ...reach, ...changes }, { name, subnets, bridge, resolvers });

/** As an engine publishes ports. */
const publishing = `table ip published {
  chain prerouting {
    type nat hook prerouting priority dstnat; policy accept;
    ip daddr ${at.uplink[4]} tcp dport ${published.inScope} dnat to ${at.other[4]}:80
    ip daddr ${at.uplink[4]} tcp dport ${published.outOfScope} dnat to ${at.target[4]}:80
  }
}
`;

async function outcomes(cases: typeof allowed): Promise<Readonly<Record<string, string>>> {
  const found = await world.attempt(
    'box',
    cases.map(([, place]) => place),
  );
  return Object.fromEntries(cases.map(([what], index) => [what, found[index] ?? 'nothing']));
}

const all = (cases: typeof allowed, outcome: string) => Object.fromEntries(cases.map(([what]) => [what, outcome]));

const listing: Readonly<Record<RuleMaker, () => Promise<string>>> = {
  nft: () => world.host(['nft', 'list', 'table', 'inet', table]),
  iptables: async () => `${await world.host(['iptables', '-S'])}${await world.host(['ip6tables', '-S'])}`,
};

/** Counters go on counting; the rules stay as they are. */
const plain = (text: string): string => text.replace(/counter packets \d+ bytes \d+/g, 'counter');

function bridgedFilter(value: '0' | '1'): Promise<string> {
  const files = ['iptables', 'ip6tables'].map((table) => `/proc/sys/net/bridge/bridge-nf-call-${table}`);
  return world.host(['sh', '-c', files.map((file) => `! [ -e ${file} ] || echo ${value} > ${file}`).join('; ')]);
}

beforeAll(async () => {
  if ((await whyNoNetwork()) !== null) return;
  await world.open();
  await world.host(['nft', '-f', '-'], publishing);
});
afterAll(() => world.close());
beforeEach(needNetwork);

it('is a world in which everything works without rules', async () => {
  const patient = [...allowed, ...forbidden].map(([what, { patienceMs: _, ...place }]) => [what, place] as const);
  expect(await outcomes(patient)).toEqual(all([...allowed, ...forbidden], 'open'));
});

/** Whether bridged packets are shown to iptables as well; nft is tried with both. */
const bridged: Readonly<Record<RuleMaker, readonly ('0' | '1')[]>> = { nft: ['0', '1'], iptables: ['1'] };
const replacements: Readonly<Record<RuleMaker, number>> = { nft: 20, iptables: 8 };

describe.each(ruleMakers)('rules by %s', (maker) => {
  beforeEach(async (context) => {
    await needTool(context, maker);
    await applyHostRules(planned(), maker, world.runHost);
  });
  afterAll(async () => {
    if ((await whyNoNetwork()) === null) await removeHostRules(name, null, world.runHost);
  });

  it('close what was open before they came', async () => {
    await removeHostRules(name, maker, world.runHost);
    const held = world.start('box', 'hold', [tcp(at.other[4], 80)]);
    await held.until(/^connected$/);
    await applyHostRules(planned(), maker, world.runHost);
    held.write('');
    await held.until(/^waited$/);
    expect(held.lines).toEqual(['connected', 'waited']);
  });

  it.each(bridged[maker])('let the scope through and nothing else, with bridge-nf-call at %s', async (value) => {
    await bridgedFilter(value);
    world.arrivals('world');
    world.arrivals('host');
    const [open, closed] = await Promise.all([outcomes(allowed), outcomes(forbidden)]);
    expect(open).toEqual(all(allowed, 'open'));
    expect(closed).toEqual(all(forbidden, 'silent'));
    expect(world.arrivals('world')).toEqual(arrivals.world);
    expect(world.arrivals('host')).toEqual(arrivals.host);
  });

  it('let the containers answer those who connect in', async () => {
    const places = [tcp(at.box[4], 8000), tcp(at.box[6], 8000)];
    const found = await Promise.all(
      (['host', 'world', 'neighbour'] as const).map((room) => world.attempt(room, places)),
    );
    expect(found).toEqual(Array.from({ length: 3 }, () => ['open', 'open']));
    // The host by its own address in the subnet is no container.
    expect(await world.attempt('host', [tcp(at.gateway[4], 22)])).toEqual(['open']);
  });

  it('are the same when they are set twice', async () => {
    const before = await listing[maker]();
    await applyHostRules(planned(), maker, world.runHost);
    expect(plain(await listing[maker]())).toBe(plain(before));
  });

  it('are replaced without a gap', async () => {
    world.arrivals('world');
    const flood = world.start('box', 'flood', [udp(at.other[4], 80), udp(at.other[6], 80)]);
    await flood.until(/^flooding$/);
    for (let round = 0; round < replacements[maker]; round += 1) {
      const ranges = round % 2 === 0 ? [...reach.ranges, '192.0.2.0/24'] : reach.ranges;
      await applyHostRules(planned({ ranges }), maker, world.runHost);
    }
    expect(await world.attempt('box', [tcp(at.target[4], 80)])).toEqual(['open']);
    await flood.finish();
    expect(Number(/sent (\d+)/.exec(flood.lines.at(-1) ?? '')?.[1])).toBeGreaterThan(100);
    expect(world.arrivals('world')).toEqual([`tcp ${at.target[4]} 80`]);
  });

  it('end with the time of the scope, and answers go on', async () => {
    const targets = [tcp(at.target[4], 80), tcp(at.target[6], 80)];
    await applyHostRules(planned({ until: new Date(Date.now() - 1000) }), maker, world.runHost);
    const late = [world.attempt('box', targets.map(shut)), world.attempt('host', [tcp(at.box[4], 8000)])];
    expect(await Promise.all(late)).toEqual([['silent', 'silent'], ['open']]);
    await applyHostRules(planned({ until: new Date(Date.now() + 3_600_000) }), maker, world.runHost);
    expect(await world.attempt('box', targets)).toEqual(['open', 'open']);
  });

  it('can be removed twice, and then nothing is held', async () => {
    await removeHostRules(name, null, world.runHost);
    await removeHostRules(name, maker, world.runHost);
    expect(await world.attempt('box', [tcp(at.other[4], 80), tcp(at.other[6], 80)])).toEqual(['open', 'open']);
    expect(await world.host(['nft', 'list', 'ruleset'])).not.toMatch(/hotcell/i);
  });
});

describe('rules by nft', () => {
  it('count and log what they drop, at most so often', async () => {
    await applyHostRules(planned(), null, world.runHost);
    await world.attempt('box', [shut(udp(at.other[4], 80))]);
    const listed = await listing.nft();
    expect(listed).toMatch(/limit rate 5\/minute(?: burst 5 packets)? log prefix "hotcell-egress "/);
    expect(Number(/counter packets (\d+) bytes \d+ drop comment "scope c0ffee0+"/.exec(listed)?.[1])).toBeGreaterThan(
      0,
    );
    await removeHostRules(name, null, world.runHost);
  });

  it('hold a network without IPv6 subnet by its bridge, and one without bridge by its addresses', async () => {
    const places = [
      tcp(at.target[4], 80),
      ...[tcp(at.other[4], 80), tcp(at.gateway[6], 22), udp(at.resolver[4], 53), tcp(at.target[6], 80)].map(shut),
    ];
    const [ipv4 = ''] = subnets;
    const byBridge = planHostRules(reach, { name, subnets: [ipv4], bridge, resolvers: [] });
    await applyHostRules(byBridge, 'nft', world.runHost);
    expect(await world.attempt('box', places)).toEqual(['open', 'silent', 'silent', 'silent', 'silent']);
    const byAddress = planHostRules(reach, { name, subnets, bridge: null, resolvers: [] });
    await applyHostRules(byAddress, 'nft', world.runHost);
    expect(await world.attempt('box', places)).toEqual(['open', 'silent', 'silent', 'silent', 'open']);
    await removeHostRules(name, 'nft', world.runHost);
  });

  it('are not set for a bridge that is not there', async () => {
    const plan = planHostRules(reach, { name, subnets, bridge: 'br-none', resolvers });
    await expect(applyHostRules(plan, null, world.runHost)).rejects.toMatchObject({
      exitCode: 4,
      message: expect.stringContaining('there is no interface br-none'),
    });
    expect(await world.host(['nft', 'list', 'tables'])).not.toContain(table);
  });
});

describe('rules by iptables', () => {
  beforeEach(async (context) => {
    await needTool(context, 'iptables');
  });

  it('leave rules of others alone, come first and once, and are asked also where there is no engine', async () => {
    await world.host(
      ['iptables-restore', '--noflush'],
      '*filter\n:DOCKER-USER - [0:0]\n-A DOCKER-USER -s 192.0.2.1 -j DROP\nCOMMIT\n',
    );
    await applyHostRules(planned(), 'iptables', world.runHost);
    await world.host(['iptables', '-I', 'DOCKER-USER', '1', '-s', '192.0.2.2', '-j', 'DROP']);
    const described = await describeHostRules(planned(), 'iptables', world.runHost);
    await applyHostRules(planned(), 'iptables', world.runHost);
    expect(described.match(/^-D /gm)).toHaveLength(4);
    const rules = (await world.host(['iptables', '-S', 'DOCKER-USER'])).trim().split('\n');
    expect(rules).toEqual([
      '-N DOCKER-USER',
      expect.stringMatching(/^-A DOCKER-USER -j HOTCELL-[0-9a-f]{12}-FWD$/),
      '-A DOCKER-USER -s 192.0.2.2/32 -j DROP',
      '-A DOCKER-USER -s 192.0.2.1/32 -j DROP',
    ]);
    expect((await world.host(['ip6tables', '-S', 'FORWARD'])).match(/-j DOCKER-USER/g)).toHaveLength(1);
    await removeHostRules(name, 'iptables', world.runHost);
    expect(await world.host(['iptables', '-S', 'DOCKER-USER'])).toContain('-s 192.0.2.1/32 -j DROP');
  });
});
