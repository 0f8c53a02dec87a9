/** RC4, which the platform's library no longer offers and old documents still need. */
export function rc4(key: Uint8Array, data: Uint8Array): Uint8Array {
  if (key.length === 0) return data;
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  let second = 0;
  for (let first = 0; first < 256; first += 1) {
    const value = state[first] ?? 0;
    second = (second + value + (key[first % key.length] ?? 0)) & 255;
    state[first] = state[second] ?? 0;
    state[second] = value;
  }
  const out = new Uint8Array(data.length);
  let first = 0;
  second = 0;
  for (let at = 0; at < data.length; at += 1) {
    first = (first + 1) & 255;
    const value = state[first] ?? 0;
    second = (second + value) & 255;
    const other = state[second] ?? 0;
    state[first] = other;
    state[second] = value;
    out[at] = (data[at] ?? 0) ^ (state[(value + other) & 255] ?? 0);
  }
  return out;
}
