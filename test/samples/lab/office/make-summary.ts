/** A property set with text values by their number. */
export function makeSummary(values: Readonly<Record<number, string>>): Buffer {
  const rows = Object.entries(values).map(([id, value]) => {
    const text = Buffer.from(`${value}\0`, 'latin1');
    const padded = Buffer.alloc(Math.ceil(text.length / 4) * 4);
    text.copy(padded);
    const head = Buffer.alloc(8);
    head.writeUInt32LE(30, 0);
    head.writeUInt32LE(text.length, 4);
    return { id: Number(id), bytes: Buffer.concat([head, padded]) };
  });
  const page = Buffer.alloc(8);
  page.writeUInt32LE(2, 0);
  page.writeUInt16LE(1252, 4);
  const time = Buffer.alloc(12);
  time.writeUInt32LE(64, 0);
  // 2024-05-06T07:08:09Z
  time.writeBigUInt64LE((BigInt(Date.UTC(2024, 4, 6, 7, 8, 9)) + 11_644_473_600_000n) * 10_000n, 4);
  const all = [{ id: 1, bytes: page }, ...rows, { id: 12, bytes: time }];
  const head = Buffer.alloc(8 + all.length * 8);
  const length = head.length + all.reduce((sum, { bytes }) => sum + bytes.length, 0);
  head.writeUInt32LE(length, 0);
  head.writeUInt32LE(all.length, 4);
  let at = head.length;
  all.forEach(({ id, bytes }, index) => {
    head.writeUInt32LE(id, 8 + index * 8);
    head.writeUInt32LE(at, 12 + index * 8);
    at += bytes.length;
  });
  const outer = Buffer.alloc(48);
  outer.writeUInt16LE(0xfffe, 0);
  outer.writeUInt32LE(0x00020105, 4);
  outer.writeUInt32LE(1, 24);
  Buffer.from('e0859ff2f94f6810ab9108002b27b3d9', 'hex').copy(outer, 28);
  outer.writeUInt32LE(48, 44);
  return Buffer.concat([outer, head, ...all.map(({ bytes }) => bytes)]);
}
