import type { IndicatorKind } from '../kind.ts';
import { hashReader } from '../read-hash.ts';

export const sha256: IndicatorKind = {
  type: 'sha256',
  title: 'SHA-256 hash',
  misp: { type: 'sha256', category: 'Payload delivery' },
  stix: { path: "file:hashes.'SHA-256'", observable: (value) => ({ type: 'file', hashes: { 'SHA-256': value } }) },
  readers: [hashReader('sha256', 64)],
};
