import type { IndicatorKind } from '../kind.ts';
import { readUnc } from '../read-unc.ts';

export const uncPath: IndicatorKind = {
  type: 'unc_path',
  title: 'network share',
  misp: { type: 'text', category: 'Network activity' },
  stix: { path: 'directory:path', observable: (value) => ({ type: 'directory', path: value }) },
  readers: [{ trigger: 'path', read: (scan, at) => (scan.text.charCodeAt(at) === 92 ? readUnc(scan, at) : undefined) }],
};
