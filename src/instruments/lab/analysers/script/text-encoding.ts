/** The text of a script, whatever it was saved as. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be' | 'latin1';
}

function zeroShare(bytes: Uint8Array, offset: number): number {
  let zeros = 0;
  let seen = 0;
  for (let at = offset; at < bytes.length && seen < 2000; at += 2, seen += 1) if (bytes[at] === 0) zeros += 1;
  return seen === 0 ? 0 : zeros / seen;
}

export function decodeText(bytes: Uint8Array): DecodedText {
  if (bytes[0] === 0xff && bytes[1] === 0xfe)
    return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'utf-16le' };
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return { text: new TextDecoder('utf-16be').decode(bytes), encoding: 'utf-16be' };
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return { text: new TextDecoder('utf-8').decode(bytes), encoding: 'utf-8-bom' };
  }
  if (bytes.length >= 8 && zeroShare(bytes, 1) > 0.6 && zeroShare(bytes, 0) < 0.2) {
    return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'utf-16le' };
  }
  if (bytes.length >= 8 && zeroShare(bytes, 0) > 0.6 && zeroShare(bytes, 1) < 0.2) {
    return { text: new TextDecoder('utf-16be').decode(bytes), encoding: 'utf-16be' };
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' };
  } catch {
    return { text: Buffer.from(bytes).toString('latin1'), encoding: 'latin1' };
  }
}

/** How much of a text people could read. */
export function printableShare(text: string): number {
  const part = text.slice(0, 4000);
  if (part.length === 0) return 0;
  let good = 0;
  for (let at = 0; at < part.length; at += 1) {
    const code = part.charCodeAt(at);
    if (code === 9 || code === 10 || code === 13 || (code >= 32 && code < 127)) good += 1;
    else if (code > 0xa0 && code < 0xfff0) good += 0.5;
  }
  return good / part.length;
}

/** Bytes as text, when they are text. */
export function asText(bytes: Uint8Array): string | undefined {
  const { text } = decodeText(bytes);
  return printableShare(text) > 0.9 ? text : undefined;
}
