import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { asNumber } from '../../../../base/json-shape.ts';
import { secretsFromKey } from './find-keys.ts';
import type { JwtRule } from './rules.ts';
import { es256Signer, hmacSigner, isHmac, type Token, unsigned, writeToken } from './token.ts';

/**
 * Tokens that a server must refuse. Each says the same as the one that was given, or adds a claim that means nothing: none
 * of them asks for more than its owner may do.
 */

export interface Forgery {
  readonly rule: JwtRule;
  /** How it was made, for whoever wants to see it again. */
  readonly how: string;
  readonly text: string;
  /** Like it but for what is claimed: where this one is taken too, the reason is another. */
  readonly control?: string;
}

const marker = { hotcell_probe: true } as const;

function flipped({ signed, signature }: Token): string {
  const changed = signature.length === 0 ? Buffer.alloc(32, 0x5a) : Buffer.from(signature.map((byte) => byte ^ 0xff));
  return `${signed}.${changed.toString('base64url')}`;
}

/** Whoever takes one of these takes any token; the rest need not be tried then. */
export function unchecked(token: Token): readonly Forgery[] {
  const changed = writeToken(token.header, { ...token.payload, ...marker }, () => token.signature);
  return [
    { rule: 'signature-not-checked', how: 'with every bit of its signature turned', text: flipped(token) },
    { rule: 'signature-not-checked', how: 'with a claim added and the signature left as it was', text: changed },
  ];
}

const spellings = ['none', 'None', 'NONE', 'nOnE'];

export function unsignedForgeries(token: Token): readonly Forgery[] {
  const stripped: Forgery = {
    rule: 'signature-not-required',
    how: 'with its signature cut off',
    text: `${token.signed}.`,
  };
  const none = spellings.map(
    (alg): Forgery => ({
      rule: 'none-accepted',
      how: `with alg "${alg}" and no signature`,
      text: writeToken({ ...token.header, alg }, { ...token.payload, ...marker }, unsigned),
    }),
  );
  return [stripped, ...none];
}

export function keyForgeries(token: Token, keys: readonly KeyObject[]): readonly Forgery[] {
  if (isHmac(token.alg)) return [];
  const header = { ...token.header, alg: 'HS256' };
  const payload = { ...token.payload, ...marker };
  const control = writeToken(header, payload, hmacSigner('HS256', randomBytes(32)));
  return keys.flatMap((key) =>
    secretsFromKey(key).map(
      (secret): Forgery => ({
        rule: 'key-confusion',
        how: 'with alg "HS256", signed with the published public key as the secret',
        text: writeToken(header, payload, hmacSigner('HS256', secret)),
        control,
      }),
    ),
  );
}

const emptyFile = '../../../../../../../../dev/null';

export function headerForgeries(token: Token): readonly Forgery[] {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = { ...publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' };
  const { kid: _, ...header } = token.header;
  const payload = { ...token.payload, ...marker };
  return [
    {
      rule: 'foreign-key-accepted',
      how: 'with a fresh key in its header (jwk), signed with that key',
      text: writeToken({ ...header, alg: 'ES256', jwk }, payload, es256Signer(privateKey)),
      control: writeToken({ ...token.header, alg: 'ES256' }, payload, es256Signer(privateKey)),
    },
    {
      rule: 'key-id-path',
      how: `with kid "${emptyFile}", signed with an empty key`,
      text: writeToken({ ...header, alg: 'HS256', kid: emptyFile }, payload, hmacSigner('HS256', '')),
      control: writeToken({ ...token.header, alg: 'HS256' }, payload, hmacSigner('HS256', '')),
    },
  ];
}

/** Only whoever knows the secret can make one that is wrong in nothing but its time. */
export function expiredForgery(token: Token, secret: string, now: number): Forgery {
  const issued = asNumber(token.payload.iat);
  const times = { exp: now - 3600, ...(issued === undefined ? {} : { iat: Math.min(issued, now - 7200) }) };
  return {
    rule: 'expired-accepted',
    how: 'with exp an hour ago, signed with the secret that was guessed',
    text: writeToken(token.header, { ...token.payload, ...times }, hmacSigner(token.alg, secret)),
  };
}

export function secretForgery(token: Token, secret: string): Forgery {
  return {
    rule: 'weak-secret',
    how: 'with a claim added, signed with the secret that was guessed',
    text: writeToken(token.header, { ...token.payload, ...marker }, hmacSigner(token.alg, secret)),
  };
}
