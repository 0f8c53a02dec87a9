/** A schema is a table: types, their fields, and where a field comes from when it is no property of its object. */

export interface FieldDefinition {
  /** Name of an object type or of a scalar. */
  readonly type: string;
  readonly isList?: boolean;
  readonly arguments?: Readonly<Record<string, string>>;
  readonly get?: (source: unknown, given: Readonly<Record<string, unknown>>) => unknown;
}

export type Types = Readonly<Record<string, Readonly<Record<string, FieldDefinition>>>>;

export interface Schema {
  readonly types: Types;
  readonly query: string;
  readonly mutation: string | null;
  readonly hasIntrospection: boolean;
  readonly hasSuggestions: boolean;
}

const string = { type: 'String' } as const;
const identifier = { type: 'ID' } as const;

interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly passwordHash: string;
}

const ada: User = { id: '1', name: 'ada', email: 'ada@weak.example', passwordHash: 'hotcell-planted-hash-1' };
const post = { id: '1', title: 'on anvils' };

/** Lists have one entry: however deep a query goes, what comes back grows with its length alone. */
export const weakSchema: Schema = {
  query: 'Query',
  mutation: 'Mutation',
  hasIntrospection: true,
  hasSuggestions: true,
  types: {
    Query: {
      users: { type: 'User', isList: true, get: () => [ada] },
      user: { type: 'User', arguments: { id: 'ID' }, get: () => ada },
      posts: { type: 'Post', isList: true, get: () => [post] },
      systemInfo: { type: 'String', get: () => 'hotcell-planted-system-info' },
    },
    Mutation: {
      deleteUser: { type: 'Boolean', arguments: { id: 'ID' }, get: () => true },
      createPost: { type: 'Post', arguments: { title: 'String' }, get: () => post },
    },
    User: {
      id: identifier,
      name: string,
      email: string,
      passwordHash: string,
      posts: { type: 'Post', isList: true, get: () => [post] },
    },
    Post: { id: identifier, title: string, author: { type: 'User', get: () => ada } },
  },
};

const item = { id: '1', name: 'anvil' };
const category = { name: 'tools' };

export const soundSchema: Schema = {
  query: 'Query',
  mutation: null,
  hasIntrospection: false,
  hasSuggestions: false,
  types: {
    Query: { items: { type: 'Item', isList: true, get: () => [item] } },
    Item: { id: identifier, name: string, category: { type: 'Category', get: () => category } },
    Category: { name: string, items: { type: 'Item', isList: true, get: () => [item] } },
  },
};
