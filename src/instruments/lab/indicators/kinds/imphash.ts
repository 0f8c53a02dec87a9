import type { IndicatorKind } from '../kind.ts';
import { hashReader } from '../read-hash.ts';

/** Only where the text says that it is one: it looks like any MD5. */
export const imphash: IndicatorKind = {
  type: 'imphash',
  title: 'import hash of a PE file',
  misp: { type: 'imphash', category: 'Payload delivery' },
  stix: { path: "file:extensions.'windows-pebinary-ext'.imphash" },
  readers: [hashReader('imphash', 32)],
};
