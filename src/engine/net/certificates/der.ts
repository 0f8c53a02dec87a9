/**
 * Writes DER, the encoding of certificates. Writing only: nothing from a box is ever parsed here.
 *
 *     tag (1 byte)   length (1 byte, or 0x80+n and n bytes)   content
 */

function lengthBytes(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const digits: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
  return Buffer.from([0x80 | digits.length, ...digits]);
}

export function element(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), lengthBytes(body.length), body]);
}

export const sequence = (...items: readonly Uint8Array[]): Buffer => element(0x30, ...items);
export const setOf = (...items: readonly Uint8Array[]): Buffer => element(0x31, ...items);
export const octets = (content: Uint8Array): Buffer => element(0x04, content);
export const bits = (content: Uint8Array, unusedBits = 0): Buffer => element(0x03, Buffer.from([unusedBits]), content);
export const boolean = (value: boolean): Buffer => element(0x01, Buffer.from([value ? 0xff : 0]));
export const utf8 = (text: string): Buffer => element(0x0c, Buffer.from(text, 'utf8'));
/** Tagged by position: constructed (a wrapper) or primitive (in place of the type). */
export const wrapped = (position: number, content: Uint8Array): Buffer => element(0xa0 | position, content);
export const tagged = (position: number, content: Uint8Array): Buffer => element(0x80 | position, content);

/** A number that is not negative, from its bytes. */
export function integer(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const body = first < 0 ? Buffer.from([0]) : Buffer.from(bytes.subarray(first));
  return element(0x02, (body[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), body]) : body);
}

export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const digits = [part & 0x7f];
    for (let left = Math.floor(part / 128); left > 0; left = Math.floor(left / 128)) {
      digits.unshift((left & 0x7f) | 0x80);
    }
    bytes.push(...digits);
  }
  return element(0x06, Buffer.from(bytes));
}

/** Years until 2049 have two digits, later ones four. */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]|\.\d+/g, '');
  const isShort = date.getUTCFullYear() < 2050;
  return element(isShort ? 0x17 : 0x18, Buffer.from(isShort ? digits.slice(2) : digits, 'latin1'));
}
