import { type Answer, type Asked, json, type Route, readFields, readJson, text } from '../exchange.ts';
import { weakGraphql } from '../planted.ts';
import { execute, type Result, readRequest } from './execute.ts';
import { weakSchema } from './schema.ts';

/** Takes queries in every way they can come, as many as they like, however deep. */

function run(value: unknown): Result {
  const request = readRequest(value);
  return request === null ? { errors: [{ message: 'Must provide query string.' }] } : execute(weakSchema, request);
}

const page = '<html><head><title>GraphiQL</title></head><body>hotcell-planted-graphiql</body></html>\n';

function byGet({ query, headers }: Asked): Answer {
  if (query.has('query')) return json(200, run(Object.fromEntries(query)));
  return (headers.accept ?? '').includes('text/html') ? text(200, page, 'text/html') : json(400, run(null));
}

function byPost(asked: Asked): Answer {
  const value = readJson(asked.body);
  if (Array.isArray(value)) return json(200, value.map(run));
  const result = run(value ?? readFields(asked));
  return json(result.data === undefined ? 400 : 200, result);
}

export const weakGraphqlRoutes: readonly Route[] = [
  { method: 'GET', path: weakGraphql.path, handle: byGet },
  { method: 'POST', path: weakGraphql.path, handle: byPost },
];
