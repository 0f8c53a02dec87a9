import type { IndicatorKind } from '../kind.ts';

/** Read together with MAC addresses, which have colons as well. */
export const ipv6: IndicatorKind = {
  type: 'ipv6',
  title: 'IPv6 address',
  misp: { type: 'ip-dst', category: 'Network activity' },
  stix: { path: 'ipv6-addr:value', observable: (value) => ({ type: 'ipv6-addr', value }) },
  readers: [],
};
