import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { openApiDocument } from './document.ts';
import { type Answer, type Asked, type Handle, isRecord, json, type Route, readJson } from './exchange.ts';
import { soundGraphqlRoutes } from './graphql/sound.ts';
import { bearerOf, type Claims, makeToken, readToken } from './jwt.ts';
import { soundMcpRoutes } from './mcp-sound.ts';
import { soundAccount } from './planted.ts';
import { findItems, items, users } from './records.ts';

/** The sound twin: the same documented API, done right, and nothing else. */

const issuer = 'smithy';
const lifeSeconds = 300;
const now = (): number => Math.floor(Date.now() / 1000);
const bad = (why: string): Answer => json(400, { error: why });
const missing = json(404, { error: 'not found' });
const denied = json(401, { error: 'a valid token is needed' }, { 'www-authenticate': 'Bearer' });

const isSame = (left: string, right: string): boolean => {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
};

function bodyOf({ headers, body }: Asked): Readonly<Record<string, unknown>> | null {
  if (!(headers['content-type'] ?? '').startsWith('application/json')) return null;
  const value = readJson(body);
  return isRecord(value) ? value : null;
}

export type Check = (asked: Asked) => Claims | null;

function checkWith(secret: string): Check {
  return ({ headers }) => {
    const token = readToken(bearerOf(headers.authorization) ?? '');
    if (token === null || token.algorithm !== 'HS256' || !token.isSigned(secret)) return null;
    const { exp, iss, aud } = token.claims;
    return typeof exp === 'number' && exp > now() && iss === issuer && aud === issuer ? token.claims : null;
  };
}

function giveToken(secret: string): Handle {
  return (asked) => {
    const body = bodyOf(asked);
    const { username, password } = body ?? {};
    if (typeof username !== 'string' || typeof password !== 'string') return bad('username and password are texts');
    if (!isSame(username, soundAccount.username) || !isSame(password, soundAccount.password)) return denied;
    const claims = { sub: randomUUID(), iss: issuer, aud: issuer, iat: now(), exp: now() + lifeSeconds };
    return json(200, { token: makeToken({ claims, secret }) });
  };
}

/** A whole number within limits, or null. */
function whole(text: string, least: number, most: number): number | null {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : null;
}

function listItems({ query }: Asked): Answer {
  const limit = whole(query.get('limit') ?? '100', 1, 100);
  return limit === null ? bad('limit is a number from 1 to 100') : json(200, items.slice(0, limit));
}

function byId<Kind extends { readonly id: number }>(list: readonly Kind[]): Handle {
  return ({ parts: [part = ''] }) => {
    const id = whole(part, 1, 999_999_999);
    if (id === null) return bad('an id is a positive number');
    const found = list.find((each) => each.id === id);
    return found === undefined ? missing : json(200, found);
  };
}

function createItem(asked: Asked): Answer {
  const body = bodyOf(asked);
  if (body === null) return bad('a JSON object is needed');
  const { name, quantity, ...rest } = body;
  const isFitting =
    typeof name === 'string' &&
    name.length >= 1 &&
    name.length <= 64 &&
    Number.isSafeInteger(quantity) &&
    Number(quantity) >= 0;
  return isFitting && Object.keys(rest).length === 0 ? json(201, { id: 4, name, quantity }) : bad('no such item');
}

function find(wanted: unknown): Answer {
  if (typeof wanted !== 'string' || wanted.length > 64) return bad('q is a text of at most 64 characters');
  return json(200, findItems(wanted));
}

export function soundRoutes(hosts: readonly string[]): readonly Route[] {
  const secret = randomBytes(32).toString('hex');
  const check = checkWith(secret);
  const guarded =
    (handle: Handle): Handle =>
    (asked) =>
      check(asked) === null ? denied : handle(asked);
  const get = (path: string, handle: Handle): Route => ({ method: 'GET', path, handle });
  const post = (path: string, handle: Handle): Route => ({ method: 'POST', path, handle });
  return [
    get('/', () => json(200, { documentation: '/openapi.json' })),
    get('/openapi.json', () => json(200, openApiDocument)),
    get('/api/v1/health', () => json(200, { status: 'up' })),
    get('/api/v1/items', listItems),
    post('/api/v1/items', guarded(createItem)),
    get('/api/v1/items/{}', byId(items)),
    get(
      '/api/v1/users',
      guarded(() => json(200, users)),
    ),
    get('/api/v1/users/{}', guarded(byId(users))),
    get('/api/v1/search', ({ query }) => find(query.get('q') ?? '')),
    post('/api/v1/filter', (asked) => {
      const body = bodyOf(asked);
      return body === null ? bad('a JSON object is needed') : find(body.q ?? '');
    }),
    post('/api/v1/token', giveToken(secret)),
    get('/api/v1/me', (asked) => {
      const claims = check(asked);
      return claims === null ? denied : json(200, { subject: claims.sub });
    }),
    ...soundGraphqlRoutes,
    ...soundMcpRoutes(hosts, check),
  ];
}

export function dressSound({ isEncrypted }: Asked, answer: Answer): Answer {
  return {
    ...answer,
    headers: {
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      ...(isEncrypted ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } : {}),
      ...answer.headers,
    },
  };
}
