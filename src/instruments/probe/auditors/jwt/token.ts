import { createHmac, type KeyObject, sign, timingSafeEqual } from 'node:crypto';
import { isObject, type JsonObject } from '../../../../base/json-shape.ts';

/** JSON Web Tokens in their compact form (RFC 7515), read without trust and written without care: what must be refused. */

export interface Token {
  readonly text: string;
  readonly header: JsonObject;
  readonly payload: JsonObject;
  readonly alg: string;
  /** Header and payload as they were signed. */
  readonly signed: string;
  readonly signature: Buffer;
}

const compact = /^[A-Za-z0-9_-]{2,4096}\.[A-Za-z0-9_-]{0,6000}\.[A-Za-z0-9_-]{0,4096}$/;
const longestToken = 8192;

function objectOf(part: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function parseToken(text: string): Token | null {
  if (text.length > longestToken || !compact.test(text)) return null;
  const [head = '', body = '', signature = ''] = text.split('.');
  const header = objectOf(head);
  const payload = objectOf(body);
  if (header === null || payload === null || typeof header.alg !== 'string') return null;
  return {
    text,
    header,
    payload,
    alg: header.alg,
    signed: `${head}.${body}`,
    signature: Buffer.from(signature, 'base64url'),
  };
}

/** All of a token that is ever shown. */
export const shownToken = ({ text }: Token): string => `…${text.slice(-6)}`;

const encode = (value: JsonObject): string => Buffer.from(JSON.stringify(value), 'utf8').toString('base64url');

const hashes: Readonly<Record<string, string>> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' };

export const isHmac = (alg: string): boolean => Object.hasOwn(hashes, alg);

export function hmacOf(alg: string, secret: string | Buffer, signed: string): Buffer {
  return createHmac(hashes[alg] ?? 'sha256', secret)
    .update(signed)
    .digest();
}

export function isSignedWith({ alg, signed, signature }: Token, secret: string): boolean {
  const expected = hmacOf(alg, secret, signed);
  return expected.length === signature.length && timingSafeEqual(expected, signature);
}

export function writeToken(header: JsonObject, payload: JsonObject, signer: (signed: string) => Buffer): string {
  const signed = `${encode(header)}.${encode(payload)}`;
  return `${signed}.${signer(signed).toString('base64url')}`;
}

export const unsigned = (): Buffer => Buffer.alloc(0);
export const hmacSigner =
  (alg: string, secret: string | Buffer) =>
  (signed: string): Buffer =>
    hmacOf(alg, secret, signed);
export const es256Signer =
  (key: KeyObject) =>
  (signed: string): Buffer =>
    sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
