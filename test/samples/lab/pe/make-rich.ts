import { makeWriter } from './writer.ts';

export const richEntries = [
  { product: 0x0104, build: 30_133, count: 12 },
  { product: 0x0105, build: 30_133, count: 3 },
  { product: 0x0001, build: 0, count: 77 },
  { product: 0x0102, build: 30_147, count: 1 },
] as const;

/** As the linker of Visual Studio writes it: the key is the sum, so everything has to be known first. */
export function makeRich(stub: Buffer): Buffer {
  let key = BigInt(stub.length);
  const mask = 0xffffffffn;
  const turn = (value: bigint, by: number): bigint => {
    const shift = BigInt(by % 32);
    return ((value << shift) | (value >> (32n - shift))) & mask;
  };
  stub.forEach((value, at) => {
    if (at < 0x3c || at > 0x3f) key += turn(BigInt(value), at);
  });
  for (const { product, build, count } of richEntries) key += turn(BigInt(product * 65_536 + build), count);
  const word = Number(key & mask);
  const writer = makeWriter();
  const put = (...values: readonly number[]): void => {
    for (const value of values) writer.u32((value ^ word) >>> 0);
  };
  put(0x536e6144, 0, 0, 0);
  for (const { product, build, count } of richEntries) put(product * 65_536 + build, count);
  return writer.text('Rich').u32(word).align(16).done();
}
