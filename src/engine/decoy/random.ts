import { createCipheriv, createHash } from 'node:crypto';

/** Random values that follow from a seed: fresh for every run, the same again in a test. */
export interface Random {
  bytes(count: number): Buffer;
  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number;
  text(alphabet: string, length: number): string;
  pick<T>(list: readonly T[]): T;
}

export const alphabets = {
  digits: '0123456789',
  hex: '0123456789abcdef',
  base32: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  base62: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  base64: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  base64url: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
} as const;

/** The key stream of AES-256-CTR under the hash of the seed. */
export function createRandom(seed: Uint8Array | string): Random {
  const cipher = createCipheriv('aes-256-ctr', createHash('sha256').update(seed).digest(), Buffer.alloc(16));
  const bytes = (count: number): Buffer => cipher.update(Buffer.alloc(count));
  const below = (limit: number): number => {
    if (!Number.isInteger(limit) || limit < 1 || limit > 2 ** 32) throw new RangeError(`no number is below ${limit}`);
    // A draw from the uneven rest at the top is thrown away, so that every number is as likely as the next.
    const fair = 2 ** 32 - (2 ** 32 % limit);
    for (;;) {
      const drawn = bytes(4).readUInt32LE();
      if (drawn < fair) return drawn % limit;
    }
  };
  return {
    bytes,
    below,
    text: (alphabet, length) => Array.from({ length }, () => alphabet[below(alphabet.length)] ?? '').join(''),
    pick: (list) => list[below(list.length)] as (typeof list)[number],
  };
}
