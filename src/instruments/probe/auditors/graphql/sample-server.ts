import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Handler, sendJson } from '../inquiry/sample-audit.ts';
import { countOf, depthOf, type Operation, parseOperation, type Selection } from './sample-language.ts';

/** For tests: a GraphQL server that can be weak in each of the ways that the auditor knows, or in none. */

export interface Weaknesses {
  readonly introspection?: boolean;
  readonly suggestions?: boolean;
  readonly depth?: boolean;
  readonly amounts?: boolean;
  readonly batching?: boolean;
  readonly get?: boolean;
  readonly simple?: boolean;
  readonly traces?: boolean;
  readonly tracing?: boolean;
  readonly page?: boolean;
  readonly needsCredential?: boolean;
}

const named = (kind: string, name: string) => ({ kind, name, ofType: null });
const field = (name: string, type: unknown, args: readonly unknown[] = []) => ({ name, args, type });
const needed = { defaultValue: null, type: { kind: 'NON_NULL' } };
const schema = {
  queryType: { name: 'Query' },
  mutationType: { name: 'Mutation' },
  types: [
    {
      kind: 'OBJECT',
      name: 'Query',
      fields: [field('user', named('OBJECT', 'User'), [needed]), field('me', named('OBJECT', 'User'))],
    },
    { kind: 'OBJECT', name: 'Mutation', fields: [field('login', named('SCALAR', 'String'))] },
    {
      kind: 'OBJECT',
      name: 'User',
      fields: [
        field('name', named('SCALAR', 'String')),
        field('friends', {
          kind: 'NON_NULL',
          name: null,
          ofType: { kind: 'LIST', name: null, ofType: named('OBJECT', 'User') },
        }),
      ],
    },
    { kind: 'SCALAR', name: 'String', fields: null },
  ],
};

const rootNames = new Set(['__typename', '__schema', '__type', 'me', 'user']);

function problemsOf(operation: Operation, weak: Weaknesses): readonly string[] {
  const problems: string[] = [];
  const close = (text: string, name: string) => (weak.suggestions ? `${text} Did you mean "${name}"?` : text);
  const walk = (selections: readonly Selection[], isRoot: boolean): void => {
    for (const each of selections) {
      if (isRoot && !rootNames.has(each.name)) problems.push(close(`Cannot query field "${each.name}".`, 'user'));
      if (!weak.introspection && (each.name === '__schema' || each.name === '__type')) {
        problems.push('GraphQL introspection is not allowed.');
      }
      if (each.argumentNames.includes('nam')) problems.push(close('Unknown argument "nam".', 'name'));
      for (const name of each.directives) if (name !== 'skip') problems.push(`Unknown directive "@${name}".`);
      walk(each.selections, false);
    }
  };
  walk(operation.selections, true);
  for (const type of operation.variableTypes)
    if (type === 'Strin') problems.push(close('Unknown type "Strin".', 'String'));
  // As those that are in use do, the limit spares introspection.
  const own = operation.selections.filter(({ name }) => !name.startsWith('__'));
  if (!weak.depth && depthOf(own) > 7) return ['too deep'];
  if (!weak.amounts && countOf(operation.selections) > 40) return ['too much'];
  return weak.amounts ? problems : problems.slice(0, 10);
}

function execute(
  query: unknown,
  weak: Weaknesses,
): { readonly status: number; readonly value: Record<string, unknown> } {
  const refuse = (messages: readonly string[]) => {
    const stack = { exception: { stacktrace: ['Error: x', '    at parse (/srv/app/server.js:10:5)'] } };
    const errors = messages.map((message) => (weak.traces ? { message, extensions: stack } : { message }));
    return { status: 400, value: { errors } };
  };
  if (typeof query !== 'string') return refuse(['Must provide a query string.']);
  let operation: Operation;
  try {
    operation = parseOperation(query);
  } catch (error) {
    return refuse([error instanceof Error ? error.message : '']);
  }
  const problems = problemsOf(operation, weak);
  if (problems.length > 0) return refuse(problems);
  const typeName = operation.kind === 'mutation' ? 'Mutation' : 'Query';
  const values: Record<string, unknown> = { __typename: typeName, __schema: schema, __type: { ofType: null } };
  const picked = operation.selections.filter(({ directives }) => !directives.includes('skip'));
  const data = Object.fromEntries(picked.map(({ alias, name }) => [alias, values[name] ?? null]));
  return { status: 200, value: { data, ...(weak.tracing ? { extensions: { tracing: { version: 1 } } } : {}) } };
}

function bodyOf(request: IncomingMessage, body: string, weak: Weaknesses): unknown {
  const type = request.headers['content-type'] ?? '';
  if (weak.simple && type.includes('urlencoded')) return Object.fromEntries(new URLSearchParams(body));
  if (!type.includes('json') && !(weak.simple && type.includes('text/plain'))) return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

export function graphqlServer(weak: Weaknesses): Handler {
  return (request: IncomingMessage, response: ServerResponse, body: string) => {
    const url = new URL(request.url ?? '/', 'http://x');
    if (weak.needsCredential && request.headers.authorization !== 'Bearer sesame-open') {
      return sendJson(response, 401, { errors: [{ message: 'who are you?' }] });
    }
    if (url.pathname !== '/graphql') return sendJson(response, 404, {});
    if (request.method === 'GET') {
      if (weak.page && request.headers.accept?.includes('text/html')) {
        response.writeHead(200, { 'content-type': 'text/html' });
        return response.end('<html><title>GraphiQL</title></html>');
      }
      if (!weak.get) return sendJson(response, 405, { errors: [{ message: 'POST only' }] });
      const { status, value } = execute(url.searchParams.get('query'), weak);
      return sendJson(response, status, value);
    }
    const given = bodyOf(request, body, weak);
    if (given === undefined) return sendJson(response, 415, { errors: [{ message: 'JSON only' }] });
    if (Array.isArray(given)) {
      if (!weak.batching) return sendJson(response, 400, { errors: [{ message: 'one at a time' }] });
      return sendJson(
        response,
        200,
        given.map((each) => execute(each?.query, weak).value),
      );
    }
    const { status, value } = execute((given as { query?: unknown } | null)?.query, weak);
    return sendJson(response, status, value);
  };
}
