import { createDecipheriv } from 'node:crypto';
import { u64 } from '../bytes.ts';
import { scanXml } from '../ooxml/scan-xml.ts';
import { digest, type SpinBudget, sized, spin } from './spin.ts';

/** Agile encryption (Office 2010 and later): described in XML, a key for the document under a key of the password. */

interface AgileKey {
  readonly salt: Buffer;
  readonly hash: string;
  readonly cipher: string;
  readonly keyBits: number;
  readonly blockSize: number;
}

export interface AgileInfo {
  readonly data: AgileKey;
  readonly password: AgileKey & {
    readonly rounds: number;
    readonly input: Buffer;
    readonly value: Buffer;
    readonly key: Buffer;
  };
}

const hashes: Readonly<Record<string, string>> = {
  SHA1: 'sha1',
  'SHA-1': 'sha1',
  SHA256: 'sha256',
  'SHA-256': 'sha256',
  SHA384: 'sha384',
  'SHA-384': 'sha384',
  SHA512: 'sha512',
  'SHA-512': 'sha512',
  MD5: 'md5',
};
const blockKeys = {
  input: [0xfe, 0xa7, 0xd2, 0x76, 0x3b, 0x4b, 0x9e, 0x79],
  value: [0xd7, 0xaa, 0x0f, 0x6d, 0x30, 0x61, 0x34, 0x4e],
  key: [0x14, 0x6e, 0x0b, 0xe7, 0xab, 0xac, 0xd0, 0xd6],
} as const;
const segmentBytes = 4096;

function keyOf(values: ReadonlyMap<string, string>): AgileKey {
  const isAes = values.get('cipherAlgorithm') === 'AES' && values.get('cipherChaining') === 'ChainingModeCBC';
  return {
    salt: Buffer.from(values.get('saltValue') ?? '', 'base64').subarray(0, 64),
    hash: hashes[values.get('hashAlgorithm') ?? ''] ?? '',
    cipher: isAes ? 'aes' : '',
    keyBits: Number(values.get('keyBits') ?? 0),
    blockSize: Number(values.get('blockSize') ?? 16),
  };
}

export function readAgile(xml: string, tick: () => void): AgileInfo | null {
  let data: AgileKey | undefined;
  let password: AgileInfo['password'] | undefined;
  scanXml(
    xml,
    {
      tag(tag) {
        if (tag.isEnd) return;
        if (tag.name === 'keyData') data ??= keyOf(tag.attributes());
        if (tag.name !== 'encryptedKey' || password !== undefined) return;
        const values = tag.attributes();
        const bytes = (name: string): Buffer => Buffer.from(values.get(name) ?? '', 'base64').subarray(0, 256);
        password = {
          ...keyOf(values),
          rounds: Number(values.get('spinCount') ?? 0),
          input: bytes('encryptedVerifierHashInput'),
          value: bytes('encryptedVerifierHashValue'),
          key: bytes('encryptedKeyValue'),
        };
      },
    },
    tick,
  );
  return data === undefined || password === undefined ? null : { data, password };
}

export function isAgileSupported({ data, password }: AgileInfo): boolean {
  const isGood = (key: AgileKey): boolean =>
    key.cipher !== '' && key.hash !== '' && [128, 192, 256].includes(key.keyBits);
  return isGood(data) && isGood(password) && Number.isInteger(password.rounds) && password.rounds >= 0;
}

function decipher(key: Buffer, iv: Buffer, bytes: Uint8Array): Buffer {
  const work = createDecipheriv(`aes-${key.length * 8}-cbc`, key, sized(iv, 16, 0x36));
  work.setAutoPadding(false);
  // Whole blocks only: what hangs over cannot be deciphered.
  return work.update(bytes.subarray(0, bytes.length & ~15));
}

/** Null: it is not this password. `untried`: the rounds were used up before. */
export function agileKey(
  info: AgileInfo,
  password: string,
  budget: SpinBudget,
  tick: () => void,
): Buffer | null | 'untried' {
  const { salt, hash, keyBits, rounds, input, value, key } = info.password;
  const spun = spin(hash, salt, password, rounds, budget, tick);
  if (spun === null) return 'untried';
  const keyFor = (block: readonly number[]): Buffer =>
    sized(digest(hash, spun, Uint8Array.from(block)), keyBits / 8, 0x36);
  const expected = decipher(keyFor(blockKeys.value), salt, value);
  const actual = digest(hash, decipher(keyFor(blockKeys.input), salt, input).subarray(0, salt.length));
  if (expected.length === 0 || !actual.equals(expected.subarray(0, actual.length))) return null;
  return decipher(keyFor(blockKeys.key), salt, key).subarray(0, info.data.keyBits / 8);
}

export function decryptAgile(info: AgileInfo, key: Buffer, content: Uint8Array, tick: () => void): Uint8Array {
  const parts: Buffer[] = [];
  const number = Buffer.alloc(4);
  for (let at = 8, segment = 0; at < content.length; at += segmentBytes, segment += 1) {
    if (segment % 64 === 0) tick();
    number.writeUInt32LE(segment, 0);
    const iv = sized(digest(info.data.hash, info.data.salt, number), 16, 0x36);
    parts.push(decipher(key, iv, content.subarray(at, at + segmentBytes)));
  }
  return Buffer.concat(parts).subarray(0, u64(content, 0));
}
