import { asNumber, asString } from '../../../../base/json-shape.ts';
import { quoteText } from '../client/index.ts';
import type { JwtRule } from './rules.ts';
import { isHmac, isSignedWith, shownToken, type Token } from './token.ts';
import { weakSecrets } from './weak-secrets.ts';

/** What can be told from the token alone. Names of claims are shown, their values never are. */

export interface TokenSighting {
  readonly rule: JwtRule;
  readonly detail: string;
  readonly severity?: 'medium';
}

const daySeconds = 24 * 60 * 60;
const sensitiveName =
  /^(?:pass(?:word|wd|phrase)?|pwd|secret|client_?secret|api_?key|private_?key|access_?key|ssn|social_?security(?:_?number)?|credit_?card|card_?number|cvv|cvc|pin|iban|account_?number|tax_?id)$/i;
const oddKeyId = /[/\\'"`;$|&<>(){}\s]|\.\./;

export function knownSecretOf(token: Token): string | null {
  if (!isHmac(token.alg)) return null;
  return weakSecrets.find((secret) => isSignedWith(token, secret)) ?? null;
}

function lookAtTimes({ payload }: Token, now: number): readonly TokenSighting[] {
  const expires = asNumber(payload.exp);
  const issued = asNumber(payload.iat);
  const found: TokenSighting[] = [];
  if (expires === undefined) found.push({ rule: 'no-expiry', detail: 'There is no claim exp.' });
  else if (expires < now) {
    found.push({ rule: 'expired-token', detail: `It expired ${Math.round(now - expires)} seconds ago.` });
  }
  if (issued === undefined) found.push({ rule: 'no-issue-time', detail: 'There is no claim iat.' });
  const seconds = expires === undefined ? 0 : expires - (issued ?? now);
  if (seconds > daySeconds) {
    found.push({ rule: 'long-lifetime', detail: `It is valid for ${Math.round(seconds / 3600)} hours.` });
  }
  return found;
}

function hostOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).hostname : null;
}

function lookAtHeader({ header }: Token, host: string): readonly TokenSighting[] {
  const found: TokenSighting[] = [];
  for (const name of ['jku', 'x5u']) {
    const value = asString(header[name]);
    if (value === undefined) continue;
    const isElsewhere = hostOf(value) !== host;
    const detail = `${name} is ${quoteText(value)}${isElsewhere ? ', which is another host' : ''}.`;
    found.push({ rule: 'key-address', detail, ...(isElsewhere ? { severity: 'medium' as const } : {}) });
  }
  const brought = ['jwk', 'x5c'].filter((name) => header[name] !== undefined);
  if (brought.length > 0) found.push({ rule: 'key-inside', detail: `The header has ${brought.join(' and ')}.` });
  const keyId = asString(header.kid);
  if (keyId !== undefined && oddKeyId.test(keyId)) {
    found.push({ rule: 'odd-key-id', detail: `kid is ${quoteText(keyId, 100)}.` });
  }
  return found;
}

function lookAtClaims({ payload }: Token): readonly TokenSighting[] {
  const names = Object.keys(payload).filter((name) => sensitiveName.test(name));
  return names.length === 0 ? [] : [{ rule: 'sensitive-claims', detail: `Claims: ${names.slice(0, 20).join(', ')}.` }];
}

function lookAtSignature(token: Token): readonly TokenSighting[] {
  if (token.alg.toLowerCase() === 'none')
    return [{ rule: 'unsigned-token', detail: 'The header says that alg is none.' }];
  const secret = knownSecretOf(token);
  if (secret === null) return [];
  const shown =
    secret === ''
      ? 'empty'
      : `one of ${weakSecrets.length} that anybody would try: ${secret.slice(0, 1)}… (${secret.length} characters)`;
  return [{ rule: 'weak-secret', detail: `The signature was made with a secret that is ${shown}.` }];
}

/** `now` is in seconds. */
export function lookAtToken(token: Token, host: string, now: number): readonly TokenSighting[] {
  return [...lookAtSignature(token), ...lookAtTimes(token, now), ...lookAtHeader(token, host), ...lookAtClaims(token)];
}

export function describeToken(token: Token): Readonly<Record<string, string | boolean | readonly string[]>> {
  const { header, payload, alg } = token;
  return {
    token: shownToken(token),
    alg: quoteText(alg, 32),
    header: Object.keys(header)
      .slice(0, 30)
      .map((name) => quoteText(name, 64)),
    claims: Object.keys(payload)
      .slice(0, 60)
      .map((name) => quoteText(name, 64)),
    has_not_before: payload.nbf !== undefined,
    has_audience: payload.aud !== undefined,
    has_issuer: payload.iss !== undefined,
  };
}
