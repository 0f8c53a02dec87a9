const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

function polymod(values: readonly number[]): number {
  let check = 1;
  for (const value of values) {
    const top = check >>> 25;
    check = ((check & 0x1ffffff) << 5) ^ value;
    for (const [bit, generator] of generators.entries()) if ((top >>> bit) & 1) check ^= generator;
  }
  return check >>> 0;
}

/** A segwit address of this network: version 0 with the older checksum, later ones with the newer. */
export function isSegwit(text: string, network: string): boolean {
  if (text !== text.toLowerCase() && text !== text.toUpperCase()) return false;
  const small = text.toLowerCase();
  if (!small.startsWith(`${network}1`) || small.length < 14 || small.length > 90) return false;
  const data = [...small.slice(network.length + 1)].map((character) => alphabet.indexOf(character));
  if (data.includes(-1) || data.length < 8) return false;
  const prefix = [...network].map((character) => character.charCodeAt(0));
  const sum = polymod([...prefix.map((code) => code >> 5), 0, ...prefix.map((code) => code & 31), ...data]);
  const version = data[0] ?? 0;
  const length = Math.floor(((data.length - 7) * 5) / 8);
  if (version === 0) return sum === 1 && (length === 20 || length === 32);
  return sum === 0x2bc830a3 && version <= 16 && length >= 2 && length <= 40;
}
