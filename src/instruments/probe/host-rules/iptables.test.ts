import { describe, expect, it } from 'vitest';
import { faultsOfIptables } from './apply-iptables.ts';
import {
  chainNames,
  freshState,
  hostRulesIptables,
  iptablesDownText,
  iptablesText,
  readIptablesState,
} from './iptables.ts';
import { planHostRules } from './plan.ts';
import { sampleOptions, sampleReach } from './sample-rules.ts';

const own = 'HOTCELL-c2eda45a59c7';

const golden = `*filter
:${own}-FWD - [0:0]
:${own}-IN - [0:0]
:${own}-OWN - [0:0]
:${own}-OUT - [0:0]
:${own}-TO - [0:0]
:${own}-NO - [0:0]
-A ${own}-NO -m limit --limit 5/minute --limit-burst 5 -j LOG --log-prefix "hotcell-egress " --log-level info
-A ${own}-NO -m comment --comment "scope ${'ab'.repeat(32)}" -j DROP
-A ${own}-TO -m conntrack --ctorigdst 198.51.100.0/24 -j RETURN
-A ${own}-TO -m conntrack --ctorigdst 203.0.113.5 -j RETURN
-A ${own}-TO -j ${own}-NO
-A ${own}-OWN -s 172.28.0.0/24 -j RETURN
-A ${own}-OWN -j ${own}-NO
-A ${own}-OUT -i br-0123456789ab -j ${own}-OWN
-A ${own}-OUT -m conntrack --ctdir REPLY --ctstate ESTABLISHED,RELATED -j RETURN
-A ${own}-OUT -m time --datestart 2027-01-01T00:00:00 -j ${own}-NO
-A ${own}-OUT -p udp -m conntrack --ctdir ORIGINAL --ctorigdst 203.0.113.53 --ctorigdstport 53 -j RETURN
-A ${own}-OUT -p tcp -m conntrack --ctdir ORIGINAL --ctorigdst 203.0.113.53 --ctorigdstport 53 -j RETURN
-A ${own}-OUT -p tcp -m conntrack --ctdir ORIGINAL --ctorigdstport 443 -g ${own}-TO
-A ${own}-OUT -p tcp -m conntrack --ctdir ORIGINAL --ctorigdstport 8000:8100 -g ${own}-TO
-A ${own}-OUT -p icmp -m conntrack --ctstate RELATED -g ${own}-TO
-A ${own}-OUT -j ${own}-NO
-A ${own}-FWD -i br-0123456789ab -o br-0123456789ab -s 172.28.0.0/24 -d 172.28.0.0/24 -j RETURN
-A ${own}-FWD -i br-0123456789ab -j ${own}-OUT
-A ${own}-FWD -s 172.28.0.0/24 -j ${own}-OUT
-A ${own}-IN -i lo -j RETURN
-A ${own}-IN -i br-0123456789ab -j ${own}-OUT
-A ${own}-IN -s 172.28.0.0/24 -j ${own}-OUT
-I DOCKER-USER 1 -j ${own}-FWD
-I INPUT 1 -j ${own}-IN
COMMIT
`;

const plan = planHostRules(sampleReach, sampleOptions);
const names = chainNames('redbox');

/** As `iptables -S` lists what the text sets. */
const listed = (text: string): string =>
  [
    '-P INPUT ACCEPT',
    '-N DOCKER-USER',
    ...Object.values(names).map((chain) => `-N ${chain}`),
    `-A INPUT -j ${names.input}`,
    '-A FORWARD -j DOCKER-USER',
    `-A DOCKER-USER -j ${names.forward}`,
    ...text.split('\n').filter((line) => line.startsWith('-A ')),
  ].join('\n');

describe('rules for iptables', () => {
  it('are these', () => {
    expect(hostRulesIptables(sampleReach, sampleOptions).ipv4).toBe(golden);
  });

  it('let neighbours find each other over IPv6', () => {
    const { ipv6 } = hostRulesIptables(sampleReach, sampleOptions);
    for (const type of [133, 135, 136]) {
      expect(ipv6).toContain(`-A ${own}-OUT -p icmpv6 --icmpv6-type ${type} -m hl --hl-eq 255 -j RETURN\n`);
    }
    expect(ipv6).toContain(`-A ${own}-TO -m conntrack --ctorigdst 2001:db8::5 -j RETURN\n`);
    expect(ipv6).not.toContain('203.0.113');
  });

  it('never empty the chain of the engine, and make one where there is none', () => {
    expect(golden).not.toContain(':DOCKER-USER');
    const bare = { ...freshState, hasDockerUser: false, isDockerUserAsked: false };
    const text = iptablesText(plan, 4, bare);
    expect(text).toContain(':DOCKER-USER - [0:0]\n');
    expect(text).toContain('-I FORWARD 1 -j DOCKER-USER\n');
  });

  it('accept nothing on behalf of the rules of others', () => {
    expect(golden).not.toContain('ACCEPT');
  });

  it('are removed by what is there', () => {
    expect(iptablesDownText('redbox', freshState)).toBeNull();
    const state = readIptablesState(listed(golden), 'redbox');
    expect(state).toEqual({
      hasDockerUser: true,
      isDockerUserAsked: true,
      jumps: { 'DOCKER-USER': 1, INPUT: 1 },
      chains: Object.values(names),
    });
    const text = iptablesDownText('redbox', state) ?? '';
    expect(text.match(/^-[DFX] /gm)).toHaveLength(14);
    expect(readIptablesState(listed(golden), 'another').chains).toEqual([]);
  });

  it('fit into the names that chains may have', () => {
    for (const chain of Object.values(chainNames('a'.repeat(128)))) expect(chain.length).toBeLessThanOrEqual(28);
  });

  const whole = listed(golden);
  const faults: readonly (readonly [string, string, readonly string[]])[] = [
    ['nothing', whole, []],
    ['a rule', whole.replace(`-A ${own}-OUT -j ${own}-NO\n`, ''), [`rules of ${own}-OUT are missing`]],
    ['the drop', whole.replace(/^.* -j DROP\n/m, ''), [`rules of ${own}-NO are missing`]],
    ['the jump', whole.replace(`-A INPUT -j ${own}-IN\n`, ''), ['INPUT does not ask them first, once']],
    [
      'its place',
      whole.replace('-A DOCKER-USER', '-A DOCKER-USER -j RETURN\n-A DOCKER-USER'),
      ['DOCKER-USER does not ask them first, once'],
    ],
    ['who asks', whole.replace('-A FORWARD -j DOCKER-USER\n', ''), ['FORWARD does not ask DOCKER-USER']],
  ];
  it.each(faults)('are looked at afterwards: missing is %s', (_, listing, expected) => {
    expect(faultsOfIptables(listing, plan, 4)).toEqual(expected);
  });
});
