import type { IncomingMessage } from 'node:http';
import { type Handler, sendJson } from '../inquiry/sample-audit.ts';

/** For tests: an API and its document, sound or weak in each of the ways that the auditor knows. */

export interface Weaknesses {
  readonly missing?: boolean;
  readonly otherMethod?: 'served' | 'offered';
  readonly neighbour?: string;
  readonly oldVersion?: boolean;
  readonly noCredential?: boolean;
  readonly anyCredential?: boolean;
  readonly openWrite?: boolean;
  readonly loose?: boolean;
  readonly failing?: boolean;
  readonly status?: number;
  readonly html?: boolean;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly softMissing?: boolean;
  readonly plainServer?: boolean;
  readonly secret?: string;
  readonly keyInQuery?: boolean;
  /** No weakness: a path of its own that `/people/{id}` takes as well. */
  readonly overlap?: boolean;
}

export const sampleToken = 'Bearer sesame-open';

const person = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' }, boss: { $ref: '#/components/schemas/Person' } },
};

export function sampleDocument(weak: Weaknesses): Record<string, unknown> {
  const answer = (schema: unknown) => ({
    '200': { description: '', content: { 'application/json': { schema } } },
    '400': { description: '' },
  });
  const ref = { $ref: '#/components/schemas/Person' };
  return {
    openapi: '3.0.3',
    info: { title: 'people', version: '1' },
    servers: [{ url: weak.plainServer ? 'http://api.example.com/v2' : '/v2' }],
    security: [{ bearer: [] }],
    paths: {
      '/people': {
        get: {
          parameters: [
            { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 50 } },
            { name: 'order', in: 'query', schema: { type: 'string', enum: ['name', 'id'] } },
          ],
          responses: answer({ type: 'array', items: ref }),
        },
        post: {
          ...(weak.openWrite ? { security: [] } : {}),
          requestBody: { content: { 'application/json': { schema: ref } } },
          responses: { '201': { description: '' } },
        },
      },
      '/people/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', example: 7 } }],
        get: { responses: answer(ref) },
      },
      ...(weak.overlap ? { '/people/0': { post: { responses: answer(ref) } } } : {}),
      '/login': { post: { security: [], responses: { '200': { description: '' } } } },
    },
    components: {
      schemas: {
        Person: person,
        Login: { type: 'object', properties: { password: { type: 'string', example: weak.secret ?? 'changeme' } } },
      },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        ...(weak.keyInQuery ? { key: { type: 'apiKey', in: 'query', name: 'api_key' } } : {}),
      },
    },
  };
}

function isAllowed({ headers }: IncomingMessage, weak: Weaknesses): boolean {
  if (weak.noCredential) return true;
  return weak.anyCredential ? headers.authorization !== undefined : headers.authorization === sampleToken;
}

function isPerson(body: string): boolean {
  try {
    const { id, name } = JSON.parse(body);
    return Number.isInteger(id) && typeof name === 'string';
  } catch {
    return false;
  }
}

export function sampleApi(weak: Weaknesses): Handler {
  return (request, response, body) => {
    const url = new URL(request.url ?? '/', 'http://x');
    const { pathname: path, searchParams } = url;
    const method = request.method ?? '';
    const nothing = () =>
      weak.softMissing
        ? sendJson(response, 200, { page: `<html>${'nothing here '.repeat(20)}</html>` })
        : sendJson(response, 404, { error: 'not found' });
    const known = { id: 7, name: 'Ada', ...weak.fields };
    if (path === '/openapi.json') return sendJson(response, 200, sampleDocument(weak));
    if (weak.neighbour !== undefined && path === `/v2${weak.neighbour}`) return sendJson(response, 200, { on: true });
    if (weak.oldVersion && path === '/v1/people') return sendJson(response, 200, [known]);
    const id = /^\/v2\/people\/([^/]+)$/.exec(path)?.[1];
    if (path !== '/v2/people' && path !== '/v2/login' && id === undefined) return nothing();
    if (weak.missing && path === '/v2/people' && method === 'GET') return nothing();
    if (method === 'OPTIONS') {
      response.writeHead(204, {
        allow:
          weak.otherMethod === 'offered'
            ? 'GET, POST, DELETE'
            : path === '/v2/login'
              ? 'POST'
              : id === undefined
                ? 'GET, POST'
                : 'GET',
      });
      return response.end();
    }
    if (path === '/v2/login')
      return sendJson(response, method === 'POST' || weak.otherMethod === 'served' ? 200 : 405, {});
    if (!isAllowed(request, weak)) return sendJson(response, 401, { error: 'who are you?' });
    if (method === 'POST' && path === '/v2/people') {
      return sendJson(response, weak.loose || isPerson(body) ? 201 : 400, {});
    }
    if (method !== 'GET') return sendJson(response, 405, { error: 'no such method' });
    const limit = searchParams.get('limit');
    const order = searchParams.get('order');
    const isWrong =
      (id !== undefined && !/^\d+$/.test(id)) ||
      (limit !== null && !(Number(limit) >= 1 && Number(limit) <= 50)) ||
      (order !== null && order !== 'name' && order !== 'id');
    if (isWrong && weak.failing) return sendJson(response, 500, { stack: 'Error\n    at q (/srv/app/db.js:1:2)' });
    if (isWrong && !weak.loose) return sendJson(response, 400, { error: 'wrong' });
    if (weak.html) {
      response.writeHead(200, { 'content-type': 'text/html' });
      return response.end('<p>Ada</p>');
    }
    return sendJson(response, weak.status ?? 200, id === undefined ? [known] : { ...known, boss: known });
  };
}
