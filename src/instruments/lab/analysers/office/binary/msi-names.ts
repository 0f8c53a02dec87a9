/** Streams of installer packages have names in which two letters are packed into one character. */

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz._';

export interface MsiName {
  readonly name: string;
  /** Tables are told from streams by a mark in front. */
  readonly isTable: boolean;
}

export function decodeMsiName(encoded: string): MsiName {
  let name = '';
  const isTable = encoded.charCodeAt(0) === 0x4840;
  for (let at = isTable ? 1 : 0; at < encoded.length; at += 1) {
    const code = encoded.charCodeAt(at);
    if (code >= 0x3800 && code < 0x4800) {
      name += (letters[(code - 0x3800) & 63] ?? '') + (letters[((code - 0x3800) >> 6) & 63] ?? '');
    } else if (code >= 0x4800 && code < 0x4840) name += letters[code - 0x4800] ?? '';
    else name += encoded[at] ?? '';
  }
  return { name, isTable };
}
