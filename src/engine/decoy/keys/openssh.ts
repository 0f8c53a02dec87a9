import type { Random } from '../random.ts';
import { ed25519PublicKey } from './ed25519.ts';

const keyType = 'ssh-ed25519';
const cipherBlockBytes = 8;
const lineCharacters = 70;

function string(content: Uint8Array | string): Buffer {
  const bytes = Buffer.from(content);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function pad(bytes: Buffer): Buffer {
  const missing = (cipherBlockBytes - (bytes.length % cipherBlockBytes)) % cipherBlockBytes;
  return Buffer.concat([bytes, Buffer.from(Array.from({ length: missing }, (_, index) => index + 1))]);
}

export interface OpensshKey {
  /** The file, as ssh-keygen writes it. */
  readonly file: string;
  readonly seed: Buffer;
  readonly publicLine: string;
  /** The characters of the file that the seed alone decides, line by line. */
  readonly secretLines: readonly string[];
}

/**
 *     "openssh-key-v1\0" cipher kdf kdf-options count public-key private-part
 *     private part: check check type public (seed public) comment 1 2 3 …
 */
export function makeOpensshKey(random: Random, comment: string): OpensshKey {
  const seed = random.bytes(32);
  const publicKey = ed25519PublicKey(seed);
  const publicPart = Buffer.concat([string(keyType), string(publicKey)]);
  const check = random.bytes(4);
  const privatePart = pad(
    Buffer.concat([check, check, publicPart, string(Buffer.concat([seed, publicKey])), string(comment)]),
  );
  const blob = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    string('none'),
    string('none'),
    string(''),
    number(1),
    string(publicPart),
    string(privatePart),
  ]);
  const text = blob.toString('base64');
  const lines = text.match(new RegExp(`.{1,${lineCharacters}}`, 'g')) ?? [];
  return {
    file: ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join('\n'),
    seed,
    publicLine: publicLineOf(seed, comment),
    secretLines: secretLines(text, blob.indexOf(seed), seed.length),
  };
}

export function publicLineOf(seed: Uint8Array, comment: string): string {
  const blob = Buffer.concat([string(keyType), string(ed25519PublicKey(seed))]);
  return `${keyType} ${blob.toString('base64')} ${comment}`;
}

function secretLines(text: string, start: number, length: number): readonly string[] {
  const first = Math.ceil((start * 8) / 6);
  const last = Math.floor(((start + length) * 8) / 6);
  const lines: string[] = [];
  for (let at = first; at < last; ) {
    const lineEnd = Math.min(last, (Math.floor(at / lineCharacters) + 1) * lineCharacters);
    lines.push(text.slice(at, lineEnd));
    at = lineEnd;
  }
  return lines;
}
