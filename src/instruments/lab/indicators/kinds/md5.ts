import type { IndicatorKind } from '../kind.ts';
import { hashReader } from '../read-hash.ts';

export const md5: IndicatorKind = {
  type: 'md5',
  title: 'MD5 hash',
  misp: { type: 'md5', category: 'Payload delivery' },
  stix: { path: "file:hashes.'MD5'", observable: (value) => ({ type: 'file', hashes: { MD5: value } }) },
  readers: [hashReader('md5', 32)],
};
