import { createPublicKey, type KeyObject } from 'node:crypto';
import { asArray, asObject, asString } from '../../../../base/json-shape.ts';
import type { Inquiry } from '../inquiry/inquiry.ts';
import type { JwtRule } from './rules.ts';
import type { Token } from './token.ts';

/** Public keys that the server itself publishes: at the usual places, or where its configuration points to on this host. */

const places = [
  '/.well-known/jwks.json',
  '/jwks.json',
  '/.well-known/jwks',
  '/oauth/jwks',
  '/oauth2/jwks',
  '/oauth/discovery/keys',
  '/api/jwks.json',
  '/auth/jwks.json',
  '/keys',
];
const configurations = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'];
const mostKeys = 4;

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}

function keyOf(value: unknown): KeyObject | null {
  try {
    return createPublicKey({ key: asObject(value), format: 'jwk' });
  } catch {
    return null;
  }
}

async function fetchJson(inquiry: Inquiry<JwtRule>, url: string): Promise<unknown> {
  if (!inquiry.covers(url)) return null;
  const answer = await inquiry.ask({ url, isAuthenticated: false });
  return answer === null || answer.status !== 200 ? null : parseJson(answer.body);
}

export async function findKeys(inquiry: Inquiry<JwtRule>, token: Token): Promise<readonly KeyObject[]> {
  const { origin } = new URL(inquiry.input.url);
  const named: string[] = [];
  for (const path of configurations) {
    const uri = asString(asObject(await fetchJson(inquiry, `${origin}${path}`)).jwks_uri);
    if (uri !== undefined) named.push(uri);
  }
  const inside = keyOf(token.header.jwk);
  const keys: KeyObject[] = inside === null ? [] : [inside];
  for (const url of new Set([...named, ...places.map((path) => `${origin}${path}`)])) {
    if (keys.length >= mostKeys) break;
    for (const value of asArray(asObject(await fetchJson(inquiry, url)).keys).slice(0, 2 * mostKeys)) {
      const key = keyOf(value);
      const isKnown = key === null || keys.some((other) => other.equals(key));
      if (!isKnown && keys.length < mostKeys) keys.push(key);
    }
  }
  return keys;
}

/** The forms in which a server may hold the key as text. */
export function secretsFromKey(key: KeyObject): readonly Buffer[] {
  const pem = key.export({ type: 'spki', format: 'pem' }).toString();
  const rsa = key.asymmetricKeyType === 'rsa' ? key.export({ type: 'pkcs1', format: 'pem' }).toString() : null;
  const texts = [pem, pem.trimEnd(), ...(rsa === null ? [] : [rsa, rsa.trimEnd()])];
  return [...texts.map((text) => Buffer.from(text)), key.export({ type: 'spki', format: 'der' })];
}
