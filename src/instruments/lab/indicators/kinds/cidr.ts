import type { IndicatorKind } from '../kind.ts';

/** Read together with the addresses that ranges begin with. */
export const cidr: IndicatorKind = {
  type: 'cidr',
  title: 'range of addresses',
  misp: { type: 'ip-dst', category: 'Network activity' },
  stix: {
    path: 'ipv4-addr:value',
    comparison: (value, literal) => `${value.includes(':') ? 'ipv6' : 'ipv4'}-addr:value = ${literal(value)}`,
    observable: (value) => ({ type: value.includes(':') ? 'ipv6-addr' : 'ipv4-addr', value }),
  },
  defang: 'host',
  readers: [],
};
