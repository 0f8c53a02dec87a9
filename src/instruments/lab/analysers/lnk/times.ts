/** 100 ns since 1601 as ISO; nothing for zero and for what no calendar holds. */
export function fileTime(value: bigint): string | undefined {
  const ms = Number(value / 10_000n) - 11_644_473_600_000;
  return value === 0n || !Number.isFinite(ms) || Math.abs(ms) > 8.64e15 || ms > 253_402_300_799_999
    ? undefined
    : new Date(ms).toISOString();
}

export function dosTime(date: number, time: number): string | undefined {
  if (date === 0) return undefined;
  const stamp = Date.UTC(
    1980 + (date >> 9),
    ((date >> 5) & 15) - 1,
    date & 31,
    time >> 11,
    (time >> 5) & 63,
    (time & 31) * 2,
  );
  return new Date(stamp).toISOString();
}

export function guidText(bytes: Uint8Array): string {
  if (bytes.length < 16) return '';
  const hex = (...places: number[]): string =>
    places.map((at) => (bytes[at] ?? 0).toString(16).padStart(2, '0')).join('');
  return `${hex(3, 2, 1, 0)}-${hex(5, 4)}-${hex(7, 6)}-${hex(8, 9)}-${hex(10, 11, 12, 13, 14, 15)}`;
}

/** A version 1 id holds the time it was made at and the network card of the machine. */
export function timeAndCard(bytes: Uint8Array): { readonly time?: string; readonly mac: string } | undefined {
  if (bytes.length < 16 || (bytes[7] ?? 0) >> 4 !== 1) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, 16);
  const ticks =
    (BigInt(view.getUint16(6, true) & 0x0fff) << 48n) |
    (BigInt(view.getUint16(4, true)) << 32n) |
    BigInt(view.getUint32(0, true));
  // 15 October 1582 to 1 January 1601.
  const time = fileTime(ticks - 5_748_192_000_000_000n < 0n ? 0n : ticks - 5_748_192_000_000_000n);
  const mac = Array.from(bytes.subarray(10, 16), (byte) => byte.toString(16).padStart(2, '0')).join(':');
  return time === undefined ? { mac } : { time, mac };
}
