/** RC4, which node's own cryptography no longer offers. */
export function rc4(key: Uint8Array, data: Uint8Array): Uint8Array {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  for (let index = 0, other = 0; index < 256; index += 1) {
    const held = state[index] ?? 0;
    other = (other + held + (key[index % Math.max(1, key.length)] ?? 0)) & 255;
    state[index] = state[other] ?? 0;
    state[other] = held;
  }
  const out = new Uint8Array(data.length);
  for (let at = 0, index = 0, other = 0; at < data.length; at += 1) {
    index = (index + 1) & 255;
    const held = state[index] ?? 0;
    other = (other + held) & 255;
    const swapped = state[other] ?? 0;
    state[index] = swapped;
    state[other] = held;
    out[at] = (data[at] ?? 0) ^ (state[(held + swapped) & 255] ?? 0);
  }
  return out;
}
