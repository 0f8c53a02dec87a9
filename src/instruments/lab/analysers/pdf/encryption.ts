import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { rc4 } from './rc4.ts';
import { isDictionary, nameOf, type PdfDictionary, type PdfValue } from './values.ts';

/** The standard security handler: RC4 of 40 to 128 bits, AES of 128 and 256 bits. */

export type CipherName = 'none' | 'rc4' | 'aes-128' | 'aes-256' | 'unknown';

export interface Encryption {
  readonly handler: string;
  readonly version: number;
  readonly revision: number;
  readonly keyBits: number;
  readonly permissions: number;
  readonly encryptsMetadata: boolean;
  readonly streamCipher: CipherName;
  readonly stringCipher: CipherName;
  /** The password that opened it; the empty one opens most. */
  readonly password?: string;
  readonly key?: Uint8Array;
}

const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
type Resolve = (value: PdfValue | undefined) => PdfValue | undefined;

function md5(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function sha(bits: 256 | 384 | 512, ...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash(`sha${bits}`);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

export function aesCbc(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Uint8Array {
  const whole = data.subarray(0, data.length - (data.length % 16));
  const decipher = createDecipheriv(key.length === 32 ? 'aes-256-cbc' : 'aes-128-cbc', key, iv);
  decipher.setAutoPadding(false);
  return Buffer.concat([decipher.update(whole), decipher.final()]);
}

/** The hash of revision 6: at least 64 rounds, ended by the last byte of each; a cap keeps a hostile one from more. */
function hardenedHash(password: Uint8Array, salt: Uint8Array): Uint8Array {
  let key: Uint8Array = sha(256, password, salt);
  for (let round = 0, last = 0; round < 64 || last > round - 32; round += 1) {
    if (round > 400) break;
    const block = Buffer.concat(Array.from({ length: 64 }, () => Buffer.concat([password, key])));
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32));
    cipher.setAutoPadding(false);
    const mixed = cipher.update(block);
    const remainder = mixed.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    key = sha(([256, 384, 512] as const)[remainder] ?? 256, mixed);
    last = mixed[mixed.length - 1] ?? 0;
  }
  return key.subarray(0, 32);
}

interface Fields {
  readonly version: number;
  readonly revision: number;
  readonly length: number;
  readonly permissions: number;
  readonly encryptsMetadata: boolean;
  readonly owner: Uint8Array;
  readonly user: Uint8Array;
  readonly userKey: Uint8Array;
  readonly id: Uint8Array;
}

function oldKey(fields: Fields, password: Uint8Array): Uint8Array | undefined {
  const padded = Buffer.concat([password, padding]).subarray(0, 32);
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(fields.permissions | 0);
  const extra = fields.revision >= 4 && !fields.encryptsMetadata ? [Buffer.alloc(4, 0xff)] : [];
  const length = fields.revision === 2 ? 5 : fields.length;
  let key = md5(padded, fields.owner.subarray(0, 32), permissions, fields.id, ...extra);
  if (fields.revision >= 3) for (let round = 0; round < 50; round += 1) key = md5(key.subarray(0, length));
  const cut = key.subarray(0, length);
  if (fields.revision === 2)
    return Buffer.from(rc4(cut, padding)).equals(fields.user.subarray(0, 32)) ? cut : undefined;
  let check = rc4(cut, md5(padding, fields.id));
  for (let round = 1; round <= 19; round += 1)
    check = rc4(
      cut.map((byte) => byte ^ round),
      check,
    );
  return Buffer.from(check).equals(fields.user.subarray(0, 16)) ? cut : undefined;
}

function newKey(fields: Fields, password: Uint8Array): Uint8Array | undefined {
  const { user, userKey } = fields;
  if (user.length < 48 || userKey.length < 32) return undefined;
  const hash = fields.revision >= 6 ? hardenedHash : (word: Uint8Array, salt: Uint8Array) => sha(256, word, salt);
  const short = password.subarray(0, 127);
  if (!Buffer.from(hash(short, user.subarray(32, 40))).equals(user.subarray(0, 32))) return undefined;
  return aesCbc(hash(short, user.subarray(40, 48)), new Uint8Array(16), userKey.subarray(0, 32));
}

function cipherOf(dictionary: PdfDictionary, key: 'StmF' | 'StrF', version: number, resolve: Resolve): CipherName {
  if (version < 4) return 'rc4';
  const name = nameOf(resolve(dictionary.entries.get(key))) ?? 'Identity';
  if (name === 'Identity') return 'none';
  const filters = resolve(dictionary.entries.get('CF'));
  const filter = isDictionary(filters) ? resolve(filters.entries.get(name)) : undefined;
  const method = isDictionary(filter) ? nameOf(resolve(filter.entries.get('CFM'))) : undefined;
  const methods: Readonly<Record<string, CipherName>> = { V2: 'rc4', AESV2: 'aes-128', AESV3: 'aes-256', None: 'none' };
  return (method === undefined ? undefined : methods[method]) ?? 'unknown';
}

export function readEncryption(
  dictionary: PdfDictionary,
  id: Uint8Array,
  resolve: Resolve,
  passwords: readonly string[],
): Encryption {
  const number = (key: string, fallback: number): number => {
    const value = resolve(dictionary.entries.get(key));
    return typeof value === 'number' ? Math.trunc(value) : fallback;
  };
  const bytes = (key: string): Uint8Array => {
    const value = resolve(dictionary.entries.get(key));
    return typeof value === 'object' && value.type === 'string' ? value.bytes : new Uint8Array(0);
  };
  const version = number('V', 0);
  const revision = number('R', 0);
  const metadata = resolve(dictionary.entries.get('EncryptMetadata'));
  const fallbackBits = version >= 5 ? 256 : version === 4 ? 128 : 40;
  const declared = number('Length', fallbackBits);
  // Some writers give bytes where bits are meant.
  const bits = version >= 5 ? 256 : version === 1 ? 40 : declared < 40 ? declared * 8 : Math.min(128, declared);
  const fields: Fields = {
    version,
    revision,
    length: Math.min(16, Math.max(5, version === 4 ? 16 : bits >> 3)),
    permissions: number('P', 0),
    encryptsMetadata: !(typeof metadata === 'object' && metadata.type === 'word' && metadata.value === 'false'),
    owner: bytes('O'),
    user: bytes('U'),
    userKey: bytes('UE'),
    id,
  };
  const handler = nameOf(resolve(dictionary.entries.get('Filter'))) ?? '?';
  const common = {
    handler,
    version,
    revision,
    keyBits: bits,
    permissions: fields.permissions,
    encryptsMetadata: fields.encryptsMetadata,
    streamCipher: cipherOf(dictionary, 'StmF', version, resolve),
    stringCipher: cipherOf(dictionary, 'StrF', version, resolve),
  };
  if (handler !== 'Standard') return common;
  for (const password of ['', ...passwords.slice(0, 100)]) {
    const word = Buffer.from(password, version >= 5 ? 'utf8' : 'latin1');
    const key = version >= 5 ? newKey(fields, word) : oldKey(fields, word);
    if (key !== undefined) return { ...common, password, key };
  }
  return common;
}

function unpad(bytes: Uint8Array): Uint8Array {
  const last = bytes[bytes.length - 1] ?? 0;
  return last >= 1 && last <= 16 ? bytes.subarray(0, Math.max(0, bytes.length - last)) : bytes;
}

/** The bytes of one string or stream of an object, made readable. */
export function decrypt(
  encryption: Encryption,
  cipher: CipherName,
  object: { readonly number: number; readonly generation: number },
  data: Uint8Array,
): Uint8Array {
  const { key } = encryption;
  if (key === undefined || cipher === 'none' || cipher === 'unknown') return data;
  if (cipher === 'aes-256') {
    return data.length < 32 || key.length !== 32 ? data : unpad(aesCbc(key, data.subarray(0, 16), data.subarray(16)));
  }
  const { number, generation } = object;
  const tail = [number, number >> 8, number >> 16, generation, generation >> 8].map((byte) => byte & 0xff);
  const salt = cipher === 'aes-128' ? Buffer.from('sAlT', 'latin1') : new Uint8Array(0);
  const mine = md5(key, Uint8Array.from(tail), salt).subarray(0, Math.min(16, key.length + 5));
  if (cipher === 'rc4') return rc4(mine, data);
  return data.length < 32 || mine.length !== 16 ? data : unpad(aesCbc(mine, data.subarray(0, 16), data.subarray(16)));
}
