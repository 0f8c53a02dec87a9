/** Where a text lies in a file, in one byte or two bytes for each character, with the whole string around it. */

export interface StringPlace {
  readonly value: string;
  readonly isExact: boolean;
  readonly encoding: 'ascii' | 'utf-16le';
  /** Where the whole string begins, and where the query does. */
  readonly start: number;
  readonly queryStart: number;
}

const mostBefore = 512;
const mostAfter = 512;
const mostShown = 400;

const isPrintable = (code: number): boolean => (code >= 0x20 && code < 0x7f) || code === 9;

function around(bytes: Uint8Array, at: number, length: number, width: 1 | 2): { start: number; end: number } {
  const isCharacter = (offset: number): boolean =>
    offset >= 0 &&
    offset + width <= bytes.length &&
    isPrintable(bytes[offset] ?? 0) &&
    (width === 1 || bytes[offset + 1] === 0);
  let start = at;
  while (at - start < mostBefore * width && isCharacter(start - width)) start -= width;
  let end = at + length;
  while (end - at < (length + mostAfter) * width && isCharacter(end)) end += width;
  return { start, end };
}

export function findPlaces(
  bytes: Uint8Array,
  query: string,
  most: number,
): { readonly places: readonly StringPlace[]; readonly hasMore: boolean } {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const places: StringPlace[] = [];
  const forms = [
    { encoding: 'ascii', width: 1, needle: Buffer.from(query, 'utf8') },
    { encoding: 'utf-16le', width: 2, needle: Buffer.from(query, 'utf16le') },
  ] as const;
  for (const { encoding, width, needle } of forms) {
    if (needle.length === 0) continue;
    for (let at = all.indexOf(needle); at !== -1; at = all.indexOf(needle, at + needle.length)) {
      if (places.length >= most) return { places, hasMore: true };
      const { start, end } = around(bytes, at, needle.length, width);
      const value =
        width === 1 ? all.toString('utf8', start, end) : all.toString('utf16le', start, end - ((end - start) & 1));
      places.push({ value: value.slice(0, mostShown), isExact: value === query, encoding, start, queryStart: at });
    }
  }
  return { places, hasMore: false };
}
