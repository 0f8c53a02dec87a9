/** Runs of UTF-16 text at even and odd places, which is how OneNote keeps names and what was written. */

const shortest = 4;
const longest = 4000;
const maximalStrings = 5000;

function isText(code: number): boolean {
  return (
    (code >= 0x20 && code < 0x7f) ||
    (code >= 0xa1 && code < 0x2000 && code !== 0xad) ||
    (code >= 0x3040 && code < 0x9fff)
  );
}

export function wideStrings(bytes: Uint8Array, tick: () => void): string[] {
  const strings: string[] = [];
  for (const parity of [0, 1]) {
    let from = -1;
    for (let at = parity; at < bytes.length && strings.length < maximalStrings; at += 2) {
      if (at % 8192 < 2) tick();
      const isInside = at + 1 < bytes.length && isText((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8));
      if (isInside && from === -1) from = at;
      if ((isInside && at - from < longest * 2) || from === -1) continue;
      const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, at - from).toString('utf16le');
      // Pairs of bytes of anything else look like rare letters: text has plain ones for the most part.
      const plain = text.replace(/[^\x20-\x7e]/g, '').length;
      if (text.length >= shortest && plain * 2 >= text.length) strings.push(text);
      from = isInside ? at : -1;
    }
  }
  return strings;
}
