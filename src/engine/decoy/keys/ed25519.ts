import { createPrivateKey, createPublicKey } from 'node:crypto';

/** PKCS#8 of an ed25519 key up to the seed, which is all that differs. */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex');

export function ed25519PublicKey(seed: Uint8Array): Buffer {
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: 'der', type: 'pkcs8' });
  return Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url');
}
