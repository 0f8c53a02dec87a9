import { createHmac, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { asNumber, asObject } from '../../../../base/json-shape.ts';
import { type Handler, sendJson } from '../inquiry/sample-audit.ts';

/** For tests: an API behind tokens, sound but for the one mistake that it is told to make. */

export type Mistake =
  | 'no-check'
  | 'no-signature-is-fine'
  | 'none-is-fine'
  | 'any-alg-with-the-key'
  | 'key-from-the-header'
  | 'key-id-is-a-path'
  | 'time-is-not-checked'
  | 'open-to-all'
  | 'refuses-all';

export interface Guard {
  readonly secret?: string;
  readonly publicKey?: KeyObject;
  readonly mistake?: Mistake;
}

function decode(part: string | undefined): Readonly<Record<string, unknown>> {
  return asObject(JSON.parse(Buffer.from(part ?? '', 'base64url').toString('utf8')));
}

const hmac = (secret: string | Buffer, signed: string): string =>
  createHmac('sha256', secret).update(signed).digest('base64url');

function isRightlySigned({ secret, publicKey, mistake }: Guard, parts: readonly string[]): boolean {
  const [head = '', body = '', signature = ''] = parts;
  const header = decode(head);
  const signed = `${head}.${body}`;
  if (mistake === 'no-signature-is-fine' && signature === '') return true;
  if (mistake === 'none-is-fine' && header.alg === 'NONE') return true;
  if (mistake === 'key-from-the-header' && header.jwk !== undefined) {
    const key = createPublicKey({ key: asObject(header.jwk), format: 'jwk' });
    const bytes = Buffer.from(signature, 'base64url');
    return verify('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }, bytes);
  }
  if (mistake === 'key-id-is-a-path' && String(header.kid).endsWith('/dev/null')) return hmac('', signed) === signature;
  if (secret !== undefined) return header.alg === 'HS256' && hmac(secret, signed) === signature;
  if (publicKey === undefined) return false;
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  if (mistake === 'any-alg-with-the-key' && header.alg === 'HS256') return hmac(pem, signed) === signature;
  return (
    header.alg === 'RS256' && verify('sha256', Buffer.from(signed), publicKey, Buffer.from(signature, 'base64url'))
  );
}

function lets(guard: Guard, given: string): boolean {
  const parts = given.replace(/^Bearer /, '').split('.');
  if (parts.length !== 3) return false;
  const payload = decode(parts[1]);
  if (
    guard.mistake !== 'time-is-not-checked' &&
    (asNumber(payload.exp) ?? Number.POSITIVE_INFINITY) < Date.now() / 1000
  )
    return false;
  return guard.mistake === 'no-check' || isRightlySigned(guard, parts);
}

export function guarded(guard: Guard): Handler {
  return ({ url, headers }, response) => {
    if (url === '/.well-known/jwks.json' && guard.publicKey !== undefined) {
      return sendJson(response, 200, { keys: [guard.publicKey.export({ format: 'jwk' })] });
    }
    if (url !== '/me') return sendJson(response, 404, {});
    let isLet = false;
    try {
      isLet =
        guard.mistake === 'open-to-all' ||
        (guard.mistake !== 'refuses-all' && lets(guard, headers.authorization ?? ''));
    } catch {
      isLet = false;
    }
    return isLet ? sendJson(response, 200, { you: headers.authorization }) : sendJson(response, 401, { error: 'no' });
  };
}
