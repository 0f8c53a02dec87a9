import { cut, u16 } from '../bytes.ts';
import { rc4 } from './rc4.ts';
import { digest } from './spin.ts';
import { type CryptoHeader, rc4Algorithm, readCryptoHeader } from './standard.ts';

/** RC4 of Office 97 to 2003, with forty bits or through the CryptoAPI. A key for each block of the stream. */

export interface LegacyInfo {
  readonly method: 'RC4' | 'RC4 CryptoAPI';
  /** The key of a block when the password is right; null when it is not. */
  keys(password: string): ((block: number) => Uint8Array) | null;
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0, 0);
  return bytes;
}

function plainKeys(salt: Uint8Array, password: string): (block: number) => Uint8Array {
  const start = digest('md5', Buffer.from(password, 'utf16le')).subarray(0, 5);
  const round = Buffer.concat([start, salt]);
  const middle = digest('md5', ...Array.from({ length: 16 }, () => round)).subarray(0, 5);
  return (block) => digest('md5', middle, number(block));
}

function apiKeys(header: CryptoHeader, password: string): (block: number) => Uint8Array {
  const start = digest('sha1', header.salt, Buffer.from(password, 'utf16le'));
  const bits = header.keyBits === 0 ? 40 : Math.min(header.keyBits, 128);
  return (block) => {
    const key = digest('sha1', start, number(block)).subarray(0, bits / 8);
    // Forty bits are used as a key of sixteen bytes of which the rest is zero.
    return bits === 40 ? Buffer.concat([key, Buffer.alloc(11)]) : key;
  };
}

function verified(
  keys: (block: number) => Uint8Array,
  algorithm: string,
  verifier: Uint8Array,
  expected: Uint8Array,
): ((block: number) => Uint8Array) | null {
  // Both are one stream: the hash goes on where the verifier ends.
  const plain = rc4(keys(0), Buffer.concat([verifier, expected]));
  const hash = digest(algorithm, plain.subarray(0, 16));
  return hash.equals(Buffer.from(plain.subarray(16, 16 + hash.length))) ? keys : null;
}

/** From where the version stands: in the protection record of a workbook, at the front of Word's table stream. */
export function readLegacy(bytes: Uint8Array, at: number): LegacyInfo | null {
  const major = u16(bytes, at);
  const minor = u16(bytes, at + 2);
  if (major === 1 && minor === 1) {
    const salt = cut(bytes, at + 4, 16);
    const verifier = cut(bytes, at + 20, 16);
    const expected = cut(bytes, at + 36, 16);
    return { method: 'RC4', keys: (password) => verified(plainKeys(salt, password), 'md5', verifier, expected) };
  }
  if (major < 2 || major > 4 || minor !== 2) return null;
  const header = readCryptoHeader(bytes, at + 8);
  if (header.algorithm !== rc4Algorithm && header.algorithm !== 0) return null;
  return {
    method: 'RC4 CryptoAPI',
    keys: (password) =>
      verified(apiKeys(header, password), 'sha1', header.verifier, header.verifierHash.subarray(0, 20)),
  };
}

/** A stream deciphered from its start, block by block. */
export function decipherBlocks(
  stream: Uint8Array,
  blockBytes: number,
  keys: (block: number) => Uint8Array,
  tick: () => void,
): Uint8Array {
  const out = new Uint8Array(stream.length);
  for (let at = 0, block = 0; at < stream.length; at += blockBytes, block += 1) {
    if (block % 64 === 0) tick();
    out.set(rc4(keys(block), stream.subarray(at, at + blockBytes)), at);
  }
  return out;
}

/** Records of which the content stays readable in an encrypted workbook: their ids. */
const plainRecords: ReadonlySet<number> = new Set([0x809, 0x2f, 0xe1, 0x1c0, 0x194, 0x195, 0x138]);

/** A workbook without its encryption: headers of records were never encrypted, the protection record is taken out. */
export function decipherWorkbook(
  stream: Uint8Array,
  keys: (block: number) => Uint8Array,
  tick: () => void,
): Uint8Array {
  const plain = decipherBlocks(stream, 1024, keys, tick);
  const out = Uint8Array.from(stream);
  let count = 0;
  for (let at = 0; at + 4 <= stream.length; count += 1) {
    if (count % 1024 === 0) tick();
    const id = u16(stream, at);
    const length = u16(stream, at + 2);
    if (id === 0x2f) {
      // A record that nothing reads stands where the protection was.
      out.set([0xe2, 0x00], at);
      out.fill(0, at + 4, Math.min(at + 4 + length, out.length));
    } else if (!plainRecords.has(id)) {
      // Where a sheet begins stays readable too.
      const from = at + 4 + (id === 0x85 ? 4 : 0);
      out.set(plain.subarray(from, at + 4 + length), Math.min(from, out.length));
    }
    at += 4 + length;
  }
  return out;
}
