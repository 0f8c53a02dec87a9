import type { IndicatorKind } from '../kind.ts';

export const tlsh: IndicatorKind = {
  type: 'tlsh',
  title: 'TLSH fuzzy hash',
  misp: { type: 'tlsh', category: 'Payload delivery' },
  stix: { path: 'file:hashes.TLSH', observable: (value) => ({ type: 'file', hashes: { TLSH: value } }) },
  readers: [
    {
      trigger: 'word',
      read: (scan, from, to) => {
        const length = to - from;
        if (length !== 72 && length !== 70) return undefined;
        const value = scan.text.slice(from, to).toUpperCase();
        if (!(length === 72 ? /^T1[0-9A-F]{70}$/ : /^[0-9A-F]{70}$/).test(value)) return undefined;
        // The older form has no mark of its own.
        if (length === 70 && !/tlsh[^a-z0-9]{1,8}$/.test(scan.before(from, 16))) return undefined;
        scan.report({ type: 'tlsh', value, from, to, confidence: 0.8 });
        return to;
      },
    },
  ],
};
