import type { z } from 'zod';

/** What outlives a process: documents by name, kept in one SQLite file that any number of processes use at once. */

export interface StoredDocument<Value> {
  readonly key: string;
  readonly value: Value;
  /** Counts the changes of this document, from 1. */
  readonly revision: number;
  readonly changedAt: string;
}

/** One kind of documents. Everything is synchronous: it is one small local file. */
export interface Collection<Value> {
  get(key: string): StoredDocument<Value> | null;
  put(key: string, value: Value): StoredDocument<Value>;
  /** Reads, changes and writes in one transaction, whoever else is writing. Null removes the document. */
  change(key: string, change: (before: Value | null) => Value | null): StoredDocument<Value> | null;
  remove(key: string): boolean;
  /** In the order of keys. `prefix` and `after` are compared as text. */
  list(options?: {
    readonly prefix?: string;
    readonly after?: string;
    readonly limit?: number;
  }): readonly StoredDocument<Value>[];
}

export interface CollectionDefinition<Schema extends z.ZodType> {
  /** Lower-case words with dashes. */
  readonly name: string;
  /** What is read is checked again: a document that does not fit is an error that names it. */
  readonly schema: Schema;
  readonly mostDocuments: number;
}

export interface StoreHandle extends Disposable {
  collection<Schema extends z.ZodType>(definition: CollectionDefinition<Schema>): Collection<z.output<Schema>>;
  /** Changes whenever another process or connection has written; cheap enough to ask many times a second. */
  generation(): number;
  close(): void;
}
