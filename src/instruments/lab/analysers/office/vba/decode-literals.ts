/** Literals that are other text in hex or base64. */

const printable = /^[\x09\x0a\x0d\x20-\x7e]+$/;

function asText(bytes: Buffer): string | null {
  if (bytes.length < 4) return null;
  const isWide = bytes.length % 2 === 0 && bytes.every((value, index) => index % 2 === 0 || value === 0);
  const text = isWide ? bytes.toString('utf16le') : bytes.toString('latin1');
  return printable.test(text) ? text : null;
}

export function decodeLiteral(literal: string): { readonly how: string; readonly text: string } | null {
  if (literal.length < 8 || literal.length > 64 * 1024) return null;
  if (/^(?:[0-9a-f]{2})+$/i.test(literal)) {
    const text = asText(Buffer.from(literal, 'hex'));
    if (text !== null) return { how: 'hex', text };
  }
  const isBase64 = literal.length >= 12 && literal.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(literal);
  // A word of the language is base64 too: only text that reads as such is taken.
  const text = isBase64 ? asText(Buffer.from(literal, 'base64')) : null;
  return text !== null && /[ ./:\\-]/.test(text) ? { how: 'base64', text } : null;
}

export function literalsOf(source: string, cap: number): string[] {
  const literals: string[] = [];
  for (const match of source.matchAll(/"((?:[^"\r\n]|""){8,65536})"/g)) {
    literals.push(match[1] ?? '');
    if (literals.length >= cap) break;
  }
  return literals;
}
