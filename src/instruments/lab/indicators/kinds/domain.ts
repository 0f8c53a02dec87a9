import type { IndicatorKind } from '../kind.ts';
import { readDomain } from '../read-name.ts';

export const domain: IndicatorKind = {
  type: 'domain',
  title: 'domain',
  misp: { type: 'domain', category: 'Network activity' },
  stix: { path: 'domain-name:value', observable: (value) => ({ type: 'domain-name', value }) },
  defang: 'host',
  readers: [{ trigger: 'name', read: readDomain }],
};
