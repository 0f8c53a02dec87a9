import type { IndicatorKind } from '../kind.ts';

/** Read with the URLs: those of tables/webhooks.ts are both. */
export const webhook: IndicatorKind = {
  type: 'webhook',
  title: 'webhook or bot address',
  misp: { type: 'url', category: 'Network activity' },
  stix: { path: 'url:value', observable: (value) => ({ type: 'url', value }) },
  defang: 'url',
  readers: [],
};
