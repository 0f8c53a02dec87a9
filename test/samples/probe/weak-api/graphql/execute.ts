import { isRecord } from '../exchange.ts';
import { describe, describedType, introspectionTypes } from './introspection.ts';
import { type FieldNode, type ParsedQuery, parseQuery, type Selection, SyntaxFault } from './parse.ts';
import type { FieldDefinition, Schema } from './schema.ts';

export interface Result {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string }[];
}

class Fault extends Error {}

/** Enough for every audit, and an end for what would never end. */
const mostFields = 20_000;

/** Names that differ in little: the same letters but for one. */
function isClose(given: string, name: string): boolean {
  if (given.length < 2 || Math.abs(given.length - name.length) > 2) return false;
  const [short, long] = given.length < name.length ? [given, name] : [name, given];
  let at = 0;
  for (const letter of long) if (letter === short[at]) at += 1;
  return at >= short.length - 1 && short[0] === long[0];
}

class Executor {
  readonly schema: Schema;
  readonly query: ParsedQuery;
  readonly variables: Readonly<Record<string, unknown>>;
  count = 0;

  constructor(schema: Schema, query: ParsedQuery, variables: Readonly<Record<string, unknown>>) {
    this.schema = schema;
    this.query = query;
    this.variables = variables;
  }

  fieldsOf(type: string): Readonly<Record<string, FieldDefinition>> | undefined {
    const { types } = this.schema;
    if (Object.hasOwn(types, type)) return types[type];
    return Object.hasOwn(introspectionTypes, type) ? introspectionTypes[type] : undefined;
  }

  definition(type: string, name: string): FieldDefinition {
    const fields = this.fieldsOf(type) ?? {};
    const found = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (found !== undefined) return found;
    if (type === this.schema.query && (name === '__schema' || name === '__type')) {
      if (!this.schema.hasIntrospection) throw new Fault('introspection is not available');
      if (name === '__schema') return { type: '__Schema', get: () => describe(this.schema) };
      return { type: '__Type', get: (_, given) => describedType(this.schema, given.name) };
    }
    if (!this.schema.hasSuggestions) throw new Fault('no such field');
    const near = Object.keys(fields).filter((field) => isClose(name, field));
    const hint = near.length === 0 ? '' : ` Did you mean ${near.map((field) => `"${field}"`).join(' or ')}?`;
    throw new Fault(`Cannot query field "${name}" on type "${type}".${hint}`);
  }

  given(node: FieldNode): Readonly<Record<string, unknown>> {
    const entries = Object.entries(node.arguments).map(([name, value]) => {
      const variable = isRecord(value) && typeof value.variable === 'string' ? value.variable : null;
      return [name, variable === null ? value : this.variables[variable]] as const;
    });
    return Object.fromEntries(entries);
  }

  field(source: unknown, type: string, node: FieldNode): unknown {
    this.count += 1;
    if (this.count > mostFields) throw new Fault('too many fields');
    if (node.name === '__typename') return type;
    const definition = this.definition(type, node.name);
    const isObject = this.fieldsOf(definition.type) !== undefined;
    if (isObject && node.selections === null) {
      throw new Fault(`Field "${node.name}" of type "${definition.type}" must have a selection of subfields.`);
    }
    if (!isObject && node.selections !== null) {
      throw new Fault(`Field "${node.name}" must not have a selection since it has no subfields.`);
    }
    const own = isRecord(source) && Object.hasOwn(source, node.name) ? source[node.name] : null;
    const value = definition.get === undefined ? own : definition.get(source, this.given(node));
    const { selections } = node;
    if (value === null || value === undefined || selections === null) return value ?? null;
    const inner = (each: unknown): unknown => this.object(each, definition.type, selections);
    return Array.isArray(value) ? value.map(inner) : inner(value);
  }

  object(
    source: unknown,
    type: string,
    selections: readonly Selection[],
    into: Map<string, unknown> = new Map(),
  ): unknown {
    for (const node of selections) {
      if (node.kind === 'field') {
        into.set(node.alias ?? node.name, this.field(source, type, node));
        continue;
      }
      this.count += 1;
      if (this.count > mostFields) throw new Fault('too many fields');
      const named = node.name === null ? node : this.query.fragments.get(node.name);
      if (named === undefined) throw new Fault(`Unknown fragment "${node.name}".`);
      if (named.on === null || named.on === type) this.object(source, type, named.selections, into);
    }
    return Object.fromEntries(into);
  }
}

export interface Request {
  readonly query: string;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Returns a reason to refuse the query before it is run. */
export type Limit = (query: ParsedQuery) => string | null;

export function execute(schema: Schema, request: Request, limit: Limit = () => null): Result {
  try {
    const query = parseQuery(request.query);
    const reason = limit(query);
    if (reason !== null) throw new Fault(reason);
    const { operations } = query;
    const operation = operations.find(({ name }) => name === request.operationName) ?? operations[0];
    const type = operation?.type === 'query' ? schema.query : operation?.type === 'mutation' ? schema.mutation : null;
    if (operation === undefined || type === null) throw new Fault('this operation is not supported');
    return { data: new Executor(schema, query, request.variables).object({}, type, operation.selections) };
  } catch (error) {
    if (error instanceof RangeError) return { errors: [{ message: 'too deep' }] };
    if (error instanceof Fault || error instanceof SyntaxFault) return { errors: [{ message: error.message }] };
    throw error;
  }
}

export function readRequest(value: unknown): Request | null {
  if (!isRecord(value) || typeof value.query !== 'string') return null;
  const { query, operationName, variables } = value;
  return {
    query,
    operationName: typeof operationName === 'string' ? operationName : null,
    variables: isRecord(variables) ? variables : {},
  };
}
