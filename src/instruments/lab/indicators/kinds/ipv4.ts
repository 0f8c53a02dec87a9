import type { IndicatorKind } from '../kind.ts';
import { readAddress4 } from '../read-name.ts';

export const ipv4: IndicatorKind = {
  type: 'ipv4',
  title: 'IPv4 address',
  misp: { type: 'ip-dst', category: 'Network activity' },
  stix: { path: 'ipv4-addr:value', observable: (value) => ({ type: 'ipv4-addr', value }) },
  defang: 'host',
  readers: [{ trigger: 'name', read: readAddress4 }],
};
