import { createHmac, timingSafeEqual } from 'node:crypto';
import { isRecord, readJson } from './exchange.ts';

/** Tokens of the sample, as small as they can be. */
export type Claims = Readonly<Record<string, unknown>>;

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export interface MakeToken {
  readonly claims: Claims;
  /** Empty for `none`. */
  readonly secret: string;
  readonly algorithm?: string;
}

export function makeToken({ claims, secret, algorithm = 'HS256' }: MakeToken): string {
  const signed = `${encode({ alg: algorithm, typ: 'JWT' })}.${encode(claims)}`;
  return secret === '' ? `${signed}.` : `${signed}.${signatureOf(signed, secret)}`;
}

function signatureOf(signed: string, secret: string): string {
  return createHmac('sha256', secret).update(signed).digest('base64url');
}

interface Token {
  readonly algorithm: string;
  readonly claims: Claims;
  readonly isSigned: (secret: string) => boolean;
}

export function readToken(token: string): Token | null {
  const [header = '', payload = '', signature = '', ...rest] = token.split('.');
  if (rest.length > 0 || token.length > 8192) return null;
  const head = readJson(Buffer.from(header, 'base64url'));
  const claims = readJson(Buffer.from(payload, 'base64url'));
  if (!isRecord(head) || !isRecord(claims)) return null;
  return {
    algorithm: String(head.alg),
    claims,
    isSigned: (secret) => {
      const [wanted, given] = [Buffer.from(signatureOf(`${header}.${payload}`, secret)), Buffer.from(signature)];
      return wanted.length === given.length && timingSafeEqual(wanted, given);
    },
  };
}

export function bearerOf(authorization: string | undefined): string | null {
  const [, token = null] = /^Bearer ([\w.-]{1,8192})$/i.exec(authorization ?? '') ?? [];
  return token;
}
