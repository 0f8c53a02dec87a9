import type { LabReport } from '../report/schema.ts';

/** How disorder is spread over a file, and how it begins. */

const mostParts = 128;
const leastPartBytes = 64;
const headBytes = 256;

function entropyOf(bytes: Uint8Array): number {
  const counts = new Uint32Array(256);
  for (const byte of bytes) counts[byte] = (counts[byte] ?? 0) + 1;
  let bits = 0;
  for (const count of counts) {
    if (count === 0) continue;
    const share = count / bytes.length;
    bits -= share * Math.log2(share);
  }
  return Math.max(0, Math.round(bits * 1000) / 1000);
}

export function drawPicture(bytes: Uint8Array): LabReport['picture'] {
  const head = Buffer.from(bytes.subarray(0, headBytes)).toString('hex');
  if (bytes.length === 0) return { entropy: [], head };
  const parts = Math.min(mostParts, Math.max(1, Math.floor(bytes.length / leastPartBytes)));
  const size = Math.ceil(bytes.length / parts);
  const entropy: number[] = [];
  for (let at = 0; at < bytes.length; at += size) entropy.push(entropyOf(bytes.subarray(at, at + size)));
  return { entropy, head };
}
