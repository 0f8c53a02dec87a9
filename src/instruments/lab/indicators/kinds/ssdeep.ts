import type { IndicatorKind } from '../kind.ts';
import { claim } from '../scan.ts';

const sizes = new Set(Array.from({ length: 31 }, (_, power) => String(3 * 2 ** power)));
const form = /(?<![A-Za-z0-9/+:.])(\d{1,10}):([A-Za-z0-9/+]{3,64}):([A-Za-z0-9/+]{2,64})(?![A-Za-z0-9/+:])/g;

export const ssdeep: IndicatorKind = {
  type: 'ssdeep',
  title: 'ssdeep fuzzy hash',
  misp: { type: 'ssdeep', category: 'Payload delivery' },
  stix: { path: 'file:hashes.SSDEEP', observable: (value) => ({ type: 'file', hashes: { SSDEEP: value } }) },
  readers: [
    {
      trigger: 'text',
      read: (scan) => {
        for (const match of scan.text.matchAll(form)) {
          const [value, size = '', first = '', second = ''] = match;
          // A time of day has the form, too.
          if (!sizes.has(size) || first.length + second.length < 12 || !/[A-Za-z]/.test(first)) continue;
          const to = match.index + value.length;
          scan.report({ type: 'ssdeep', value, from: match.index, to, confidence: 0.8 });
          scan.claim(match.index, to, claim.phrase);
        }
        return undefined;
      },
    },
  ],
};
