import { createHash } from 'node:crypto';
import type { IndicatorKind } from '../kind.ts';
import { hashReader } from '../read-hash.ts';
import { claim } from '../scan.ts';

/** The five lists before they are hashed: `771,4865-4866,0-23,29-23,0`. */
const raw =
  /(?<![\d,-])7(?:68|69|70|71|72),\d{1,5}(?:-\d{1,5}){0,128},(?:\d{1,5}(?:-\d{1,5}){0,64})?,(?:\d{1,5}(?:-\d{1,5}){0,32})?,\d{0,3}(?![\d,-])/g;

/** By its label, or as the text it is the hash of. */
export const ja3: IndicatorKind = {
  type: 'ja3',
  title: 'JA3 fingerprint of a TLS client',
  misp: { type: 'ja3-fingerprint-md5', category: 'Network activity' },
  readers: [
    hashReader('ja3', 32),
    {
      trigger: 'text',
      read: (scan) => {
        for (const match of scan.text.matchAll(raw)) {
          const [text] = match;
          const to = match.index + text.length;
          const value = createHash('md5').update(text).digest('hex');
          scan.report({ type: 'ja3', value, from: match.index, to, confidence: 0.8 });
          scan.claim(match.index, to, claim.phrase);
        }
        return undefined;
      },
    },
  ],
};
