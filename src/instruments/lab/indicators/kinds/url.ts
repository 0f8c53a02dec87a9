import type { IndicatorKind } from '../kind.ts';
import { readUrl } from '../read-url.ts';

export const url: IndicatorKind = {
  type: 'url',
  title: 'URL',
  misp: { type: 'url', category: 'Network activity' },
  stix: { path: 'url:value', observable: (value) => ({ type: 'url', value }) },
  defang: 'url',
  readers: [{ trigger: 'scheme', read: readUrl }],
};
