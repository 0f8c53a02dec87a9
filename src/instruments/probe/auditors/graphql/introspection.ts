import { asArray, asObject, asString, isObject } from '../../../../base/json-shape.ts';
import { quoteText, showExchange } from '../client/index.ts';
import { type GraphqlInquiry, speak } from './speak.ts';

/** The schema, as far as it is told, and the claim that it is. */

export interface Field {
  readonly name: string;
  /** Without lists and non-nulls; null where it was nested deeper than we asked. */
  readonly type: string | null;
  readonly needsArguments: boolean;
}

export interface Schema {
  readonly query: string | null;
  readonly mutation: string | null;
  /** Objects and interfaces. */
  readonly types: ReadonlyMap<string, readonly Field[]>;
}

const small = 'query{__schema{queryType{name}}}';
const named = 'kind name ofType{kind name ofType{kind name ofType{kind name}}}';
const whole = `query{__schema{queryType{name}mutationType{name}types{kind name fields{name args{defaultValue type{kind}}type{${named}}}}}}`;

const mostTypes = 2000;
const mostFields = 500;
const mostNames = 50;

function innerName(type: unknown): string | null {
  let at = asObject(type);
  for (let depth = 0; depth < 4; depth += 1) {
    if (at.kind !== 'NON_NULL' && at.kind !== 'LIST') return asString(at.name) ?? null;
    at = asObject(at.ofType);
  }
  return null;
}

function readField(value: unknown): Field | null {
  const { name, type, args } = asObject(value);
  if (typeof name !== 'string' || !isName(name)) return null;
  const needsArguments = asArray(args).some((argument) => {
    const { type: argumentType, defaultValue } = asObject(argument);
    return asObject(argumentType).kind === 'NON_NULL' && (defaultValue === null || defaultValue === undefined);
  });
  return { name, type: innerName(type), needsArguments };
}

/** Names go back into queries: what is no name of the language goes nowhere. */
function isName(text: string): boolean {
  return /^[A-Za-z_]\w{0,127}$/.test(text);
}

export function readSchema(value: unknown): Schema | null {
  if (!isObject(value)) return null;
  const types = new Map<string, readonly Field[]>();
  for (const type of asArray(value.types).slice(0, mostTypes)) {
    const { kind, name, fields } = asObject(type);
    if ((kind !== 'OBJECT' && kind !== 'INTERFACE') || typeof name !== 'string' || !isName(name)) continue;
    types.set(
      name,
      asArray(fields)
        .slice(0, mostFields)
        .map(readField)
        .filter((field) => field !== null),
    );
  }
  return {
    query: asString(asObject(value.queryType).name) ?? null,
    mutation: asString(asObject(value.mutationType).name) ?? null,
    types,
  };
}

function tellSchema(inquiry: GraphqlInquiry, schema: Schema): void {
  const own = [...schema.types].filter(([name]) => !name.startsWith('__'));
  const namesOf = (type: string | null): readonly string[] =>
    (type === null ? [] : (schema.types.get(type) ?? [])).map(({ name }) => name);
  const queries = namesOf(schema.query);
  const mutations = namesOf(schema.mutation);
  inquiry.fact('schema', {
    types: own.length,
    fields: own.reduce((sum, [, fields]) => sum + fields.length, 0),
    queries: queries.length,
    mutations: mutations.length,
    query_names: queries.slice(0, mostNames).map((name) => quoteText(name)),
    mutation_names: mutations.slice(0, mostNames).map((name) => quoteText(name)),
  });
}

/** Asked without a credential first: whom it is told to decides how much it matters. */
export async function checkIntrospection(inquiry: GraphqlInquiry): Promise<Schema | null> {
  for (const isAuthenticated of inquiry.hasCredential ? [false, true] : [false]) {
    const spoken = await speak(inquiry, small, { isAuthenticated });
    if (spoken === null || !isObject(spoken.data?.__schema)) continue;
    inquiry.claim({
      rule: 'introspection',
      at: inquiry.input.url,
      detail: isAuthenticated
        ? 'A query for __schema with the credential is answered.'
        : 'A query for __schema without any credential is answered.',
      evidence: showExchange(spoken.request, spoken.answer, { bodyBytes: 300 }),
      repro: spoken.request,
      ...(isAuthenticated
        ? { severity: 'low' as const, title: 'The whole schema is given to every known caller' }
        : {}),
    });
    const full = await speak(inquiry, whole, { isAuthenticated });
    const schema = readSchema(full?.data?.__schema);
    if (schema === null) inquiry.note('introspection is answered, but the whole schema was too large or refused');
    else tellSchema(inquiry, schema);
    return schema;
  }
  inquiry.fact('introspection', 'refused');
  return null;
}
