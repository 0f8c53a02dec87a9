import { type Asked, json, type Route, readJson } from '../exchange.ts';
import { weakGraphql } from '../planted.ts';
import { execute, readRequest } from './execute.ts';
import type { ParsedQuery } from './parse.ts';
import { soundSchema } from './schema.ts';

/** Anybody may ask, but only for what is meant to be asked: one query, as JSON, small and shallow. */

const most = { depth: 6, aliases: 5, tokens: 300 } as const;

/** Fragments are not taken at all: their depth shows only when they are put together. */
function limit({ depth, aliases, tokens, fragments, operations }: ParsedQuery): string | null {
  const isSmall = depth <= most.depth && aliases <= most.aliases && tokens <= most.tokens;
  return isSmall && fragments.size === 0 && operations.length === 1 ? null : 'this query is too large';
}

function byPost({ headers, body }: Asked) {
  if (!/^application\/(graphql-response\+)?json\b/.test(headers['content-type'] ?? '')) {
    return json(415, { errors: [{ message: 'JSON is needed' }] });
  }
  const request = readRequest(readJson(body));
  if (request === null) return json(400, { errors: [{ message: 'one query is needed' }] });
  const result = execute(soundSchema, request, limit);
  return json(result.data === undefined ? 400 : 200, result);
}

export const soundGraphqlRoutes: readonly Route[] = [{ method: 'POST', path: weakGraphql.path, handle: byPost }];
