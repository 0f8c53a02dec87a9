import type { IndicatorKind } from '../kind.ts';

/** Read with the domains; the name of the third version carries a checksum, which raises the confidence. */
export const onion: IndicatorKind = {
  type: 'onion',
  title: 'onion service',
  misp: { type: 'onion-address', category: 'Network activity' },
  stix: { path: 'domain-name:value', observable: (value) => ({ type: 'domain-name', value }) },
  defang: 'host',
  readers: [],
};
