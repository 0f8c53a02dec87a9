import { byteEntropy } from '../analysers/native/entropy.ts';
import type { LabReport } from '../report/schema.ts';

/** How disorder is spread over a file, and how it begins. */

const mostParts = 128;
const leastPartBytes = 64;
const headBytes = 256;

const round = (bits: number): number => Math.max(0, Math.round(bits * 1000) / 1000);

/** `measured`: by an analyser, in a thread of its own; measured here only where none did. */
export function drawPicture(bytes: Uint8Array, measured: readonly number[] | null): LabReport['picture'] {
  const head = Buffer.from(bytes.subarray(0, headBytes)).toString('hex');
  if (measured !== null) return { entropy: [...measured], head };
  if (bytes.length === 0) return { entropy: [], head };
  const parts = Math.min(mostParts, Math.max(1, Math.floor(bytes.length / leastPartBytes)));
  const size = Math.ceil(bytes.length / parts);
  const entropy: number[] = [];
  for (let at = 0; at < bytes.length; at += size) entropy.push(round(byteEntropy(bytes.subarray(at, at + size))));
  return { entropy, head };
}
