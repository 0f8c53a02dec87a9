/** The OpenAPI document, the same for both twins. */

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const listOf = (items: Json): Json => ({ type: 'array', items });
const answer = (description: string, schema?: Json): Json =>
  schema === undefined ? { description } : { description, content: { 'application/json': { schema } } };
const errors = { '400': answer('a value that does not fit'), '404': answer('there is none') } as const;
const bearer: Json = [{ bearerAuth: [] }];
const needsToken = { '401': answer('without a valid token') } as const;
const idParameter: Json = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } };

const item: Json = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'name', 'quantity'],
  properties: { id: { type: 'integer' }, name: { type: 'string' }, quantity: { type: 'integer' } },
};
const newItem: Json = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'quantity'],
  properties: { name: { type: 'string', minLength: 1, maxLength: 64 }, quantity: { type: 'integer', minimum: 0 } },
};
const user: Json = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'name', 'email'],
  properties: { id: { type: 'integer' }, name: { type: 'string' }, email: { type: 'string' } },
};
const account: Json = {
  type: 'object',
  required: ['username', 'password'],
  properties: { username: { type: 'string' }, password: { type: 'string' } },
};
const filter: Json = { type: 'object', properties: { q: { type: 'string', maxLength: 64 } } };

const body = (schema: Json): Json => ({ required: true, content: { 'application/json': { schema } } });
const queryParameter = (name: string, schema: Json): Json => ({ name, in: 'query', required: false, schema });

const paths: Json = {
  '/api/v1/health': { get: { operationId: 'health', security: [], responses: { '200': answer('it is up') } } },
  '/api/v1/items': {
    get: {
      operationId: 'listItems',
      security: [],
      parameters: [queryParameter('limit', { type: 'integer', minimum: 1, maximum: 100 })],
      responses: { '200': answer('items', listOf(reference('Item'))), '400': errors['400'] },
    },
    post: {
      operationId: 'createItem',
      security: bearer,
      requestBody: body(reference('NewItem')),
      responses: { '201': answer('made', reference('Item')), '400': errors['400'], ...needsToken },
    },
  },
  '/api/v1/items/{id}': {
    get: {
      operationId: 'getItem',
      security: [],
      parameters: [idParameter],
      responses: { '200': answer('the item', reference('Item')), ...errors },
    },
  },
  '/api/v1/users': {
    get: {
      operationId: 'listUsers',
      security: bearer,
      responses: { '200': answer('users', listOf(reference('User'))), ...needsToken },
    },
  },
  '/api/v1/users/{id}': {
    get: {
      operationId: 'getUser',
      security: bearer,
      parameters: [idParameter],
      responses: { '200': answer('the user', reference('User')), ...errors, ...needsToken },
    },
  },
  '/api/v1/search': {
    get: {
      operationId: 'search',
      security: [],
      parameters: [queryParameter('q', { type: 'string', maxLength: 64 })],
      responses: { '200': answer('what was found'), '400': errors['400'] },
    },
  },
  '/api/v1/filter': {
    post: {
      operationId: 'filter',
      security: [],
      requestBody: body(reference('Filter')),
      responses: { '200': answer('what was found'), '400': errors['400'] },
    },
  },
  '/api/v1/token': {
    post: {
      operationId: 'token',
      security: [],
      requestBody: body(reference('Account')),
      responses: { '200': answer('a token'), '400': errors['400'], ...needsToken },
    },
  },
  '/api/v1/me': {
    get: {
      operationId: 'me',
      security: bearer,
      responses: { '200': answer('who the token is for'), ...needsToken },
    },
  },
};

export const openApiDocument = {
  openapi: '3.0.3',
  info: { title: 'Smithy', version: '1.0.0' },
  servers: [{ url: '/' }],
  security: bearer,
  paths,
  components: {
    securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    schemas: { Item: item, NewItem: newItem, User: user, Account: account, Filter: filter },
  },
};

/** Its servers, a path of it and a schema of it are at the address given. */
export function documentElsewhere(elsewhere: string): unknown {
  return {
    ...openApiDocument,
    servers: [{ url: elsewhere }, { url: '/' }],
    externalDocs: { url: elsewhere },
    paths: {
      '/api/v1/health': {
        servers: [{ url: elsewhere }],
        get: { security: [], responses: { '200': { description: 'up' } } },
      },
      '/api/v1/items': { $ref: `${elsewhere}#/paths/items` },
      '/api/v1/search': {
        get: { security: [], responses: { '200': answer('found', { $ref: `${elsewhere}#/Result` }) } },
      },
    },
  };
}
