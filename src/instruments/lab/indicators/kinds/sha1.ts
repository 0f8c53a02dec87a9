import type { IndicatorKind } from '../kind.ts';
import { hashReader } from '../read-hash.ts';

export const sha1: IndicatorKind = {
  type: 'sha1',
  title: 'SHA-1 hash',
  misp: { type: 'sha1', category: 'Payload delivery' },
  stix: { path: "file:hashes.'SHA-1'", observable: (value) => ({ type: 'file', hashes: { 'SHA-1': value } }) },
  readers: [hashReader('sha1', 40)],
};
