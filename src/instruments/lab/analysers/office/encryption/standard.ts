import { createDecipheriv } from 'node:crypto';
import { cut, u32, u64 } from '../bytes.ts';
import { digest, type SpinBudget, sized, spin } from './spin.ts';

/** Standard encryption (Office 2007): AES with a key of fifty thousand rounds. And the header that RC4 shares with it. */

export interface CryptoHeader {
  readonly algorithm: number;
  readonly keyBits: number;
  readonly salt: Uint8Array;
  readonly verifier: Uint8Array;
  readonly verifierHash: Uint8Array;
}

const rounds = 50_000;
export const aesAlgorithms: readonly number[] = [0x660e, 0x660f, 0x6610];
export const rc4Algorithm = 0x6801;

/** What follows the version and the flags: the size of the header, the header, the verifier. */
export function readCryptoHeader(bytes: Uint8Array, at: number): CryptoHeader {
  const size = u32(bytes, at);
  const verifierAt = at + 4 + size;
  const saltSize = Math.min(u32(bytes, verifierAt), 64);
  const after = verifierAt + 4 + saltSize;
  return {
    algorithm: u32(bytes, at + 4 + 8),
    keyBits: u32(bytes, at + 4 + 16),
    salt: cut(bytes, verifierAt + 4, saltSize),
    verifier: cut(bytes, after, 16),
    verifierHash: cut(bytes, after + 20, 32),
  };
}

function decipher(key: Uint8Array, bytes: Uint8Array): Buffer {
  const work = createDecipheriv(`aes-${key.length * 8}-ecb`, key, null);
  work.setAutoPadding(false);
  return work.update(bytes.subarray(0, bytes.length & ~15));
}

function derive(value: Buffer, keyBytes: number): Buffer {
  const half = (filler: number): Buffer => {
    const block = Buffer.alloc(64, filler);
    value.forEach((byte, index) => {
      block[index] = byte ^ filler;
    });
    return digest('sha1', block);
  };
  return Buffer.concat([half(0x36), half(0x5c)]).subarray(0, keyBytes);
}

export function isStandardSupported(header: CryptoHeader): boolean {
  return (
    aesAlgorithms.includes(header.algorithm) && [128, 192, 256].includes(header.keyBits) && header.salt.length === 16
  );
}

export function standardKey(
  header: CryptoHeader,
  password: string,
  budget: SpinBudget,
  tick: () => void,
): Buffer | null | 'untried' {
  const spun = spin('sha1', header.salt, password, rounds, budget, tick);
  if (spun === null) return 'untried';
  const key = derive(digest('sha1', spun, Buffer.alloc(4)), header.keyBits / 8);
  const expected = decipher(key, header.verifierHash);
  const actual = digest('sha1', decipher(key, header.verifier));
  return expected.length >= 20 && actual.equals(expected.subarray(0, 20)) ? sized(key, key.length, 0) : null;
}

export function decryptStandard(key: Buffer, content: Uint8Array): Uint8Array {
  return decipher(key, content.subarray(8)).subarray(0, u64(content, 0));
}
