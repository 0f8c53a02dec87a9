/** Bytes that grow, for making samples of binary formats. */
export interface Writer {
  readonly length: number;
  u8(...values: readonly number[]): Writer;
  u16(...values: readonly number[]): Writer;
  u32(...values: readonly number[]): Writer;
  u64(...values: readonly (number | bigint)[]): Writer;
  bytes(value: Uint8Array): Writer;
  text(value: string, size?: number): Writer;
  cString(value: string): Writer;
  utf16(value: string): Writer;
  align(to: number): Writer;
  patch32(at: number, value: number): Writer;
  done(): Buffer;
}

export function makeWriter(order: 'little' | 'big' = 'little'): Writer {
  const parts: Buffer[] = [];
  let length = 0;
  const push = (size: number, fill: (buffer: Buffer) => void): void => {
    const buffer = Buffer.alloc(size);
    fill(buffer);
    parts.push(buffer);
    length += size;
  };
  const little = order === 'little';
  const join = (): Buffer => {
    const whole = Buffer.concat(parts);
    parts.splice(0, parts.length, whole);
    return whole;
  };
  const writer: Writer = {
    get length() {
      return length;
    },
    u8(...values) {
      for (const value of values) push(1, (buffer) => buffer.writeUInt8(value));
      return writer;
    },
    u16(...values) {
      for (const value of values)
        push(2, (buffer) => (little ? buffer.writeUInt16LE(value) : buffer.writeUInt16BE(value)));
      return writer;
    },
    u32(...values) {
      for (const value of values)
        push(4, (buffer) => (little ? buffer.writeUInt32LE(value >>> 0) : buffer.writeUInt32BE(value >>> 0)));
      return writer;
    },
    u64(...values) {
      for (const value of values)
        push(8, (buffer) => (little ? buffer.writeBigUInt64LE(BigInt(value)) : buffer.writeBigUInt64BE(BigInt(value))));
      return writer;
    },
    bytes(value) {
      push(value.length, (buffer) => buffer.set(value));
      return writer;
    },
    text(value, size = value.length) {
      push(size, (buffer) => buffer.write(value, 'latin1'));
      return writer;
    },
    cString(value) {
      return writer.text(value, value.length + 1);
    },
    utf16(value) {
      return writer.bytes(Buffer.from(`${value}\0`, 'utf16le'));
    },
    align(to) {
      push((to - (length % to)) % to, () => undefined);
      return writer;
    },
    patch32(at, value) {
      const whole = join();
      if (little) whole.writeUInt32LE(value >>> 0, at);
      else whole.writeUInt32BE(value >>> 0, at);
      return writer;
    },
    done: () => join(),
  };
  return writer;
}

/** Noise that is the same in every run: what compressed or encrypted data looks like. */
export function noise(length: number, seed = 1): Buffer {
  const out = Buffer.alloc(length);
  let state = seed >>> 0 || 1;
  for (let at = 0; at < length; at += 1) {
    state ^= (state << 13) >>> 0;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= (state << 5) >>> 0;
    state >>>= 0;
    out[at] = state & 0xff;
  }
  return out;
}
