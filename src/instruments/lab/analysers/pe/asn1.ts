import { OutOfBounds } from '../reader.ts';

/** As much of DER as signatures need. */
export interface Asn1 {
  readonly tag: number;
  /** With tag and length. */
  readonly whole: Uint8Array;
  readonly content: Uint8Array;
}

const mostChildren = 512;

export function readAsn1(bytes: Uint8Array): Asn1 {
  const fail = (): OutOfBounds => new OutOfBounds(0, 2, bytes.length);
  const [tag, first] = bytes;
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) throw fail();
  let length = first;
  let header = 2;
  if (first >= 0x80) {
    const count = first & 0x7f;
    if (count === 0 || count > 4 || bytes.length < 2 + count) throw fail();
    length = 0;
    for (let at = 0; at < count; at += 1) length = length * 256 + (bytes[2 + at] ?? 0);
    header += count;
  }
  if (header + length > bytes.length) throw fail();
  return { tag, whole: bytes.subarray(0, header + length), content: bytes.subarray(header, header + length) };
}

export function childrenOf(node: Asn1): Asn1[] {
  const list: Asn1[] = [];
  let rest = node.content;
  while (rest.length > 0 && list.length < mostChildren) {
    const child = readAsn1(rest);
    list.push(child);
    rest = rest.subarray(child.whole.length);
  }
  return list;
}

/** The child at a path of positions; a structure that has no such child ends like data that is too short. */
export function descend(node: Asn1, ...path: readonly number[]): Asn1 {
  let here = node;
  for (const index of path) {
    const next = childrenOf(here)[index];
    if (next === undefined) throw new OutOfBounds(index, 1, here.content.length);
    here = next;
  }
  return here;
}

export function oidOf({ content }: Asn1): string {
  const parts: number[] = [];
  let value = 0;
  for (const byte of content.subarray(0, 64)) {
    value = value * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    if (parts.length === 0)
      parts.push(Math.min(2, Math.floor(value / 40)), value - 40 * Math.min(2, Math.floor(value / 40)));
    else parts.push(value);
    value = 0;
  }
  return parts.join('.');
}
