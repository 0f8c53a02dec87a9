import type { IndicatorKind } from '../kind.ts';
import { hashReader } from '../read-hash.ts';

export const sha512: IndicatorKind = {
  type: 'sha512',
  title: 'SHA-512 hash',
  misp: { type: 'sha512', category: 'Payload delivery' },
  stix: { path: "file:hashes.'SHA-512'", observable: (value) => ({ type: 'file', hashes: { 'SHA-512': value } }) },
  readers: [hashReader('sha512', 128)],
};
