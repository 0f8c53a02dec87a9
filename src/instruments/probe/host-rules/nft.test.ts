import { describe, expect, it } from 'vitest';
import { tableName } from './names.ts';
import { hostRules, nftDownText } from './nft.ts';
import { sampleOptions, sampleReach } from './sample-rules.ts';

const golden = `add table inet hotcell_egress_redbox
delete table inet hotcell_egress_redbox
table inet hotcell_egress_redbox {
  set subnets4 {
    type ipv4_addr
    flags interval
    elements = { 172.28.0.0/24 }
  }
  set targets4 {
    type ipv4_addr
    flags interval
    elements = { 198.51.100.0/24, 203.0.113.5 }
  }
  set resolvers4 {
    type ipv4_addr
    flags interval
    elements = { 203.0.113.53 }
  }
  set subnets6 {
    type ipv6_addr
    flags interval
    elements = { fd28::/64 }
  }
  set targets6 {
    type ipv6_addr
    flags interval
    elements = { 2001:db8::5 }
  }
  set resolvers6 {
    type ipv6_addr
    flags interval
  }
  set ports {
    type inet_service
    flags interval
    elements = { 443, 8000-8100 }
  }
  chain refused {
    limit rate 5/minute burst 5 packets log prefix "hotcell-egress " level info
    counter drop comment "scope abababababababababababababababababababababababababababababababab"
  }
  chain confined {
    icmpv6 type { nd-router-solicit, nd-neighbor-solicit, nd-neighbor-advert } ip6 hoplimit 255 accept
    iifname "br-0123456789ab" ip saddr != @subnets4 jump refused
    iifname "br-0123456789ab" ip6 saddr != fe80::/10 ip6 saddr != @subnets6 jump refused
    ct direction reply ct state established,related accept
    meta time >= 1798761600 jump refused
    ct original ip daddr @resolvers4 meta l4proto udp ct original proto-dst 53 accept
    ct original ip daddr @resolvers4 meta l4proto tcp ct original proto-dst 53 accept
    ct original ip daddr @targets4 meta l4proto tcp ct original proto-dst @ports accept
    ct state related ct original ip daddr @targets4 meta l4proto icmp accept
    ct original ip6 daddr @resolvers6 meta l4proto udp ct original proto-dst 53 accept
    ct original ip6 daddr @resolvers6 meta l4proto tcp ct original proto-dst 53 accept
    ct original ip6 daddr @targets6 meta l4proto tcp ct original proto-dst @ports accept
    ct state related ct original ip6 daddr @targets6 meta l4proto ipv6-icmp accept
    jump refused
  }
  chain forwarded {
    iifname "br-0123456789ab" oifname "br-0123456789ab" ip saddr 172.28.0.0/24 ip daddr 172.28.0.0/24 accept
    iifname "br-0123456789ab" oifname "br-0123456789ab" ip6 saddr fd28::/64 ip6 daddr fd28::/64 accept
    iifname "br-0123456789ab" oifname "br-0123456789ab" ip6 saddr fe80::/10 ip6 daddr fe80::/10 accept
    jump confined
  }
  chain forward {
    type filter hook forward priority -10; policy accept;
    iifname "br-0123456789ab" jump forwarded
    ip saddr @subnets4 jump forwarded
    ip6 saddr @subnets6 jump forwarded
  }
  chain input {
    type filter hook input priority -10; policy accept;
    iifname "lo" accept
    iifname "br-0123456789ab" jump confined
    ip saddr @subnets4 jump confined
    ip6 saddr @subnets6 jump confined
  }
}
`;

describe('rules for nftables', () => {
  it('are these', () => {
    expect(hostRules(sampleReach, sampleOptions)).toBe(golden);
  });

  it('know containers by their addresses where there is no bridge', () => {
    const text = hostRules({ ...sampleReach, until: null }, { ...sampleOptions, bridge: null });
    expect(text).not.toMatch(/iifname "(?!lo)|oifname|fe80|meta time/);
    expect(text).toContain('    ip saddr 172.28.0.0/24 ip daddr 172.28.0.0/24 accept\n');
  });

  it('open nothing where the scope has nothing that a container could reach', () => {
    const text = hostRules({ ...sampleReach, ranges: ['127.0.0.1'] }, { ...sampleOptions, resolvers: [] });
    expect(text.match(/elements = /g)).toHaveLength(3);
  });

  it('are removed in one transaction, whether or not they are there', () => {
    expect(nftDownText('redbox')).toBe(
      'add table inet hotcell_egress_redbox\ndelete table inet hotcell_egress_redbox\n',
    );
  });

  it('have a table of their own for every name', () => {
    const names = [
      'red_box',
      'red-box',
      'red.box',
      'Red_box',
      'red_box_',
      '10.0.0.0/8',
      '10.0.0.0/8+fd00::/64',
      'a'.repeat(128),
    ];
    const tables = names.map(tableName);
    expect(new Set(tables).size).toBe(names.length);
    for (const table of tables) expect(table).toMatch(/^hotcell_egress_[A-Za-z0-9_]{1,60}$/);
  });
});
