import { asString, isObject, type JsonObject } from '../../../../base/json-shape.ts';
import { isExampleToken, isPlaceholder } from '../../../../targets/secrets/placeholder.ts';
import { redact } from '../../../../targets/secrets/scan-text.ts';
import { quoteText } from '../client/index.ts';
import type { OpenapiInquiry } from './api.ts';
import type { Description } from './description.ts';
import { isSecretName } from './secret-names.ts';

/** What the document says by itself. */

const mostValues = 100_000;
const deepest = 60;
const mostSecrets = 20;
const ownHost = /^(?:localhost|127\.|\[::1\])/;

const formats: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: 'an access key of a cloud', pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/ },
  { what: 'a token of a code host', pattern: /\b(?:ghp|gho|ghs|ghu|github_pat|glpat)[_-][0-9A-Za-z_-]{20,255}/ },
  { what: 'a key of a payment service', pattern: /\b[sr]k_live_[0-9A-Za-z]{16,255}/ },
  { what: 'a token of a chat service', pattern: /\bxox[abprs]-[0-9A-Za-z-]{10,255}/ },
  { what: 'a private key', pattern: /-----BEGIN (?:[A-Z]{2,12} )?PRIVATE KEY-----/ },
  { what: 'a signed token', pattern: /\beyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{20,2000}/ },
];

/** Fields of a schema that hold a value of the thing that the schema is named by. */
const valueKeys: ReadonlySet<string> = new Set(['example', 'default', 'x-example', 'value']);

interface FoundSecret {
  readonly where: string;
  readonly what: string;
  readonly redacted: string;
}

function judge(text: string, owner: string, isValue: boolean): string | null {
  const known = formats.find(({ pattern }) => pattern.test(text));
  if (known !== undefined) return isExampleToken(text) ? null : known.what;
  if (!isValue || !isSecretName(owner) || text.length < 8 || text.length > 500 || /\s/.test(text)) return null;
  return /\d/.test(text) && /[A-Za-z]/.test(text) && !isPlaceholder(text)
    ? `the value of ${quoteText(owner, 60)}`
    : null;
}

interface Place {
  readonly where: string;
  readonly key: string;
  /** The property or parameter that this is about. */
  readonly owner: string;
  /** Inside an example or a default: keys are names of fields here, and no keywords. */
  readonly isValue: boolean;
  readonly depth: number;
}

function step(from: Place, parent: JsonObject, name: string, value: unknown): Place {
  const below = { where: `${from.where}/${name.slice(0, 60)}`.slice(-300), key: name, depth: from.depth + 1 };
  if (from.isValue || from.key === 'properties') return { ...below, owner: name, isValue: from.isValue };
  const owner = asString(parent.in) === undefined ? from.owner : (asString(parent.name) ?? from.owner);
  const isValue = valueKeys.has(name) || (name === 'examples' && Array.isArray(value));
  return { ...below, owner, isValue };
}

export function findSecrets(document: JsonObject): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  let left = mostValues;
  const walk = (value: unknown, place: Place): void => {
    left -= 1;
    if (left < 0 || place.depth > deepest || found.length >= mostSecrets) return;
    if (typeof value === 'string') {
      const what = judge(value.slice(0, 5000), place.owner, place.isValue);
      if (what !== null) found.push({ where: place.where, what, redacted: redact(value) });
    } else if (Array.isArray(value)) {
      for (const each of value) walk(each, { ...place, depth: place.depth + 1 });
    } else if (isObject(value)) {
      for (const [name, each] of Object.entries(value)) walk(each, step(place, value, name, each));
    }
  };
  walk(document, { where: '', key: '', owner: '', isValue: false, depth: 0 });
  return found;
}

export function checkDocument(
  inquiry: OpenapiInquiry,
  document: JsonObject,
  description: Description,
  at: string,
): void {
  const claim = { at, repro: '' };
  const remote = description.servers.filter((url) => /^https?:\/\//i.test(url));
  const plain = remote.filter((url) => /^http:\/\//i.test(url) && !ownHost.test(url.slice(7)));
  const hasSecure = remote.some((url) => /^https:/i.test(url));
  if (plain.length > 0 && !hasSecure) {
    const list = plain
      .slice(0, 5)
      .map((url) => quoteText(url, 200))
      .join(', ');
    inquiry.claim({
      ...claim,
      rule: 'plain-http-server',
      detail: `The servers of the document are reached over http only: ${list}.`,
      evidence: list,
    });
  }
  for (const [name, scheme] of description.schemes) {
    if (scheme.type !== 'apiKey' || scheme.in !== 'query') continue;
    const key = quoteText(asString(scheme.name) ?? '', 100);
    inquiry.claim({
      ...claim,
      rule: 'api-key-in-query',
      title: `A credential is sent in the URL: ${quoteText(name, 60)}`,
      detail: `The security scheme ${quoteText(name, 100)} has its key in the query parameter ${key}.`,
      evidence: `in: query, name: ${key}`,
    });
  }
  for (const { where, what, redacted } of findSecrets(document)) {
    inquiry.claim({
      ...claim,
      at: `${at}#${quoteText(where, 300)}`,
      rule: 'secret-in-document',
      title: `The document holds what looks like a real secret: ${what}`,
      detail: `At ${quoteText(where, 300)} stands ${what}.`,
      evidence: redacted,
    });
  }
}
