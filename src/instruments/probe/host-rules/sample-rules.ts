import type { HostRuleOptions } from './plan.ts';
import type { ReachList } from './reach.ts';

/** One scope and one network, for tests. */

export const sampleReach: ReachList = {
  ranges: ['203.0.113.5', '198.51.100.0/24', '198.51.100.7', '2001:db8::5'],
  ports: [
    { from: 443, to: 443 },
    { from: 8000, to: 8100 },
  ],
  until: new Date('2027-01-01T00:00:00Z'),
  fingerprint: 'ab'.repeat(32),
};

export const sampleOptions: HostRuleOptions = {
  name: 'redbox',
  subnets: ['172.28.0.0/24', 'fd28::/64'],
  bridge: 'br-0123456789ab',
  resolvers: ['203.0.113.53'],
};

/** Text that must never come into a rule as an address. */
export const hostileAddresses: readonly string[] = [
  '',
  ' ',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/8\n',
  '10.0.0.0/8; flush ruleset',
  '10.0.0.0/8 }\n flush ruleset',
  '"; flush ruleset; "',
  '-j ACCEPT',
  '$(reboot)',
  '010.0.0.1',
  '0x0a000001',
  '167772161',
  '10.1',
  '::ffff:10.0.0.0/104',
  'fe80::1%eth0',
  '127.0.0.0/8',
  '0.0.0.0/0',
  '224.0.0.0/8',
  '::/0',
  'example.com',
  '1'.repeat(60),
];

/** And as the name of a bridge or of a network. */
export const hostileNames: readonly string[] = [
  '',
  '-j',
  '--help',
  'a b',
  'a"b',
  "a'b",
  'a;b',
  'a\nb',
  'a\n',
  'a\u0000b',
  'a/../b',
  '$(reboot)',
  '`reboot`',
  'a\u202eb',
  'a'.repeat(129),
];
