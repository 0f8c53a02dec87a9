import { checkPrimeSync, createPrivateKey } from 'node:crypto';
import type { Random } from '../random.ts';

/** An RSA key that follows from a seed, which the built-in generator cannot do. */

const publicExponent = 65_537n;
const primeBytes = 128;
const smallPrimes = Array.from({ length: 1000 }, (_, index) => BigInt(2 * index + 3)).filter((candidate) =>
  Array.from({ length: 44 }, (_, index) => BigInt(index + 2)).every(
    (divisor) => divisor >= candidate || candidate % divisor !== 0n,
  ),
);

function makePrime(random: Random): bigint {
  const bytes = random.bytes(primeBytes);
  // Both highest bits, so that the product of two has the full length.
  bytes[0] = (bytes[0] ?? 0) | 0xc0;
  bytes[primeBytes - 1] = (bytes[primeBytes - 1] ?? 0) | 1;
  let candidate = BigInt(`0x${bytes.toString('hex')}`);
  for (;;) {
    const tried = candidate;
    if (
      smallPrimes.every((prime) => tried % prime !== 0n) &&
      (tried - 1n) % publicExponent !== 0n &&
      checkPrimeSync(tried)
    )
      return tried;
    candidate += 2n;
  }
}

/** The number that gives 1 when multiplied by `value`, modulo `modulus`. */
function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b] = [value % modulus, modulus];
  let [x, y] = [1n, 0n];
  while (b !== 0n) {
    const quotient = a / b;
    [a, b] = [b, a % b];
    [x, y] = [y, x - quotient * y];
  }
  return ((x % modulus) + modulus) % modulus;
}

function toBytes(value: bigint): Buffer {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 1 ? `0${hex}` : hex, 'hex');
}

export interface RsaKey {
  readonly pem: string;
  readonly privateExponent: Buffer;
}

export function makeRsaKey(random: Random): RsaKey {
  const [p, q] = [makePrime(random), makePrime(random)];
  const d = inverse(publicExponent, (p - 1n) * (q - 1n));
  const text = (value: bigint): string => toBytes(value).toString('base64url');
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'RSA',
      n: text(p * q),
      e: text(publicExponent),
      d: text(d),
      p: text(p),
      q: text(q),
      dp: text(d % (p - 1n)),
      dq: text(d % (q - 1n)),
      qi: text(inverse(q, p)),
    },
  });
  return { pem: key.export({ format: 'pem', type: 'pkcs8' }).toString(), privateExponent: toBytes(d) };
}
