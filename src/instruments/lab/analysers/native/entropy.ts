/** Shannon entropy in bits per byte, to four places: 0 for one value repeated, 8 for noise. */
export function byteEntropy(bytes: Uint8Array): number {
  if (bytes.length === 0) return 0;
  const counts = new Uint32Array(256);
  for (let at = 0; at < bytes.length; at += 1) {
    const value = bytes[at] ?? 0;
    counts[value] = (counts[value] ?? 0) + 1;
  }
  let bits = 0;
  for (const count of counts) {
    if (count === 0) continue;
    const share = count / bytes.length;
    bits -= share * Math.log2(share);
  }
  return Math.round(Math.abs(bits) * 10_000) / 10_000;
}

/**
 * Entropy of many pieces of one file. Pieces that overlap would cost more than the file is long, so beyond three times
 * its length nothing is measured any more.
 */
export function makeEntropyMeter(fileLength: number, tick: () => void): (piece: Uint8Array) => number | null {
  let left = 3 * fileLength + 65_536;
  return (piece) => {
    tick();
    left -= piece.length;
    return left < 0 ? null : byteEntropy(piece);
  };
}
