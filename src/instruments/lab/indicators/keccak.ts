/** Keccak-256 with its first padding, which Ethereum and Monero use and the standard does not have. Lanes as two halves. */

const rate = 136;

function roundConstants(): readonly (readonly [number, number])[] {
  const out: (readonly [number, number])[] = [];
  let register = 1;
  for (let round = 0; round < 24; round += 1) {
    let [low, high] = [0, 0];
    for (let bit = 0; bit < 7; bit += 1) {
      const position = 2 ** bit - 1;
      if (register & 1) {
        if (position < 32) low ^= 1 << position;
        else high ^= 1 << (position - 32);
      }
      register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1;
    }
    out.push([low, high]);
  }
  return out;
}

function rotations(): { readonly to: readonly number[]; readonly by: readonly number[] } {
  const to: number[] = [];
  const by: number[] = [];
  let [x, y] = [1, 0];
  for (let step = 0; step < 24; step += 1) {
    to.push(x + 5 * y);
    by.push((((step + 1) * (step + 2)) / 2) % 64);
    [x, y] = [y, (2 * x + 3 * y) % 5];
  }
  return { to, by };
}

const constants = roundConstants();
const { to: piTo, by: rhoBy } = rotations();

const at = (lanes: Uint32Array | Int32Array, index: number): number => lanes[index] ?? 0;

function permute(low: Int32Array, high: Int32Array): void {
  const columnLow = new Int32Array(5);
  const columnHigh = new Int32Array(5);
  for (const [constantLow, constantHigh] of constants) {
    for (let x = 0; x < 5; x += 1) {
      columnLow[x] = at(low, x) ^ at(low, x + 5) ^ at(low, x + 10) ^ at(low, x + 15) ^ at(low, x + 20);
      columnHigh[x] = at(high, x) ^ at(high, x + 5) ^ at(high, x + 10) ^ at(high, x + 15) ^ at(high, x + 20);
    }
    for (let x = 0; x < 5; x += 1) {
      const [nextLow, nextHigh] = [at(columnLow, (x + 1) % 5), at(columnHigh, (x + 1) % 5)];
      const mixLow = at(columnLow, (x + 4) % 5) ^ ((nextLow << 1) | (nextHigh >>> 31));
      const mixHigh = at(columnHigh, (x + 4) % 5) ^ ((nextHigh << 1) | (nextLow >>> 31));
      for (let y = 0; y < 25; y += 5) {
        low[x + y] = at(low, x + y) ^ mixLow;
        high[x + y] = at(high, x + y) ^ mixHigh;
      }
    }
    let [heldLow, heldHigh] = [at(low, 1), at(high, 1)];
    for (let step = 0; step < 24; step += 1) {
      // The lane that is moved next is the one that this one is written over.
      const target = piTo[(step + 1) % 24] ?? 0;
      const by = rhoBy[step] ?? 0;
      const [savedLow, savedHigh] = [at(low, target), at(high, target)];
      const swap = by >= 32;
      const bits = by % 32;
      const [first, second] = swap ? [heldHigh, heldLow] : [heldLow, heldHigh];
      low[target] = bits === 0 ? first : (first << bits) | (second >>> (32 - bits));
      high[target] = bits === 0 ? second : (second << bits) | (first >>> (32 - bits));
      [heldLow, heldHigh] = [savedLow, savedHigh];
    }
    for (let y = 0; y < 25; y += 5) {
      const rowLow = low.slice(y, y + 5);
      const rowHigh = high.slice(y, y + 5);
      for (let x = 0; x < 5; x += 1) {
        low[x + y] = at(rowLow, x) ^ (~at(rowLow, (x + 1) % 5) & at(rowLow, (x + 2) % 5));
        high[x + y] = at(rowHigh, x) ^ (~at(rowHigh, (x + 1) % 5) & at(rowHigh, (x + 2) % 5));
      }
    }
    low[0] = at(low, 0) ^ constantLow;
    high[0] = at(high, 0) ^ constantHigh;
  }
}

export function keccak256(input: Uint8Array): Uint8Array {
  const blocks = Math.floor(input.length / rate) + 1;
  const padded = new Uint8Array(blocks * rate);
  padded.set(input);
  padded[input.length] = (padded[input.length] ?? 0) | 0x01;
  padded[padded.length - 1] = (padded[padded.length - 1] ?? 0) | 0x80;
  const view = new DataView(padded.buffer);
  const low = new Int32Array(25);
  const high = new Int32Array(25);
  for (let block = 0; block < padded.length; block += rate) {
    for (let lane = 0; lane < rate / 8; lane += 1) {
      low[lane] = at(low, lane) ^ view.getInt32(block + lane * 8, true);
      high[lane] = at(high, lane) ^ view.getInt32(block + lane * 8 + 4, true);
    }
    permute(low, high);
  }
  const out = new DataView(new ArrayBuffer(32));
  for (let lane = 0; lane < 4; lane += 1) {
    out.setInt32(lane * 8, at(low, lane), true);
    out.setInt32(lane * 8 + 4, at(high, lane), true);
  }
  return new Uint8Array(out.buffer);
}
