import { showExchange } from '../client/index.ts';
import type { Schema } from './introspection.ts';
import { type GraphqlInquiry, hasTypeName, type Spoken, speak } from './speak.ts';

/**
 * Whether depth is limited. The nested part is skipped by a directive, so it is judged by the server's rules and never
 * executed: no data is fetched, however deep the question goes.
 */

const depths = [4, 8, 12] as const;
const deepest = 12;
const mostSteps = 5000;

/** Fields from the root that go round and round, `depth` of them; null where the schema has no such way. */
export function nestedPath(schema: Schema, depth: number): readonly string[] | null {
  if (schema.query === null) return null;
  let steps = 0;
  // What cannot go on from a type for so many steps cannot do it the next time either.
  const dead = new Set<string>();
  const walk = (type: string, left: number): readonly string[] | null => {
    if (left === 0) return [];
    const key = `${type} ${left}`;
    if (dead.has(key)) return null;
    for (const field of schema.types.get(type) ?? []) {
      steps += 1;
      if (steps > mostSteps) return null;
      if (field.needsArguments || field.type === null || !schema.types.has(field.type)) continue;
      const rest = walk(field.type, left - 1);
      if (rest !== null) return [field.name, ...rest];
    }
    dead.add(key);
    return null;
  };
  return walk(schema.query, depth);
}

export function skippedQuery([first = '', ...rest]: readonly string[]): string {
  const inner = rest.reduceRight((below, name) => `${name}{${below}}`, '__typename');
  return `query{__typename ${first} @skip(if:true){${inner}}}`;
}

function introspectiveQuery(depth: number): string {
  let inner = 'name';
  for (let level = 2; level < depth; level += 1) inner = `ofType{${inner}}`;
  return `query{__typename __type(name:"String"){${inner}}}`;
}

export async function checkDepth(inquiry: GraphqlInquiry, schema: Schema | null): Promise<void> {
  if (schema === null) {
    inquiry.note('depth was not tried: without the schema there is nothing harmless to nest');
    return;
  }
  const isOwn = nestedPath(schema, deepest) !== null;
  let last: Spoken | null = null;
  for (const depth of depths) {
    const path = isOwn ? nestedPath(schema, depth) : null;
    const spoken = await speak(inquiry, path === null ? introspectiveQuery(depth) : skippedQuery(path));
    if (spoken === null || spoken.errors.length > 0 || !hasTypeName(spoken.data)) {
      inquiry.fact('depth_limit', `below ${depth}`);
      return;
    }
    last = spoken;
  }
  if (last === null) return;
  inquiry.claim({
    rule: 'no-depth-limit',
    at: inquiry.input.url,
    detail: isOwn
      ? `A query nested ${deepest} levels deep passes the checks of the server. Its nested part was skipped by a directive, so nothing was fetched.`
      : `A query of introspection nested ${deepest} levels deep is answered. Limits that spare introspection would not show here.`,
    evidence: showExchange(last.request, last.answer, { bodyBytes: 200 }),
    repro: last.request,
    ...(isOwn ? {} : { evidenceClass: 'C' as const, severity: 'low' as const }),
  });
}
