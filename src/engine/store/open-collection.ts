import type { DatabaseSync } from 'node:sqlite';
import type { z } from 'zod';
import { HostError, UsageError } from '../../base/errors.ts';
import type { Collection, CollectionDefinition, StoredDocument } from './contract.ts';
import { checkKey, readValue, writeValue } from './document-value.ts';

/** What a collection needs of the store that it is in. */
export interface CollectionPlace {
  readonly file: string;
  readonly database: DatabaseSync;
  read<Result>(operation: string, work: () => Result): Result;
  /** One transaction that nobody else can get in between. */
  write<Result>(operation: string, work: () => Result): Result;
}

const columns = 'key, value, revision, changed_at';

function readLimit(limit: number | undefined, most: number): number {
  if (limit === undefined) return most;
  if (!Number.isSafeInteger(limit) || limit < 0) throw new UsageError(`${limit} is no number of documents`);
  return Math.min(limit, most);
}

export function openCollection<Schema extends z.ZodType>(
  definition: CollectionDefinition<Schema>,
  place: CollectionPlace,
): Collection<z.output<Schema>> {
  type Value = z.output<Schema>;
  const { name, schema, mostDocuments } = definition;
  if (!/^[a-z]+(-[a-z]+)*$/.test(name)) throw new UsageError(`${JSON.stringify(name)} cannot name a collection`);
  const { database, file } = place;
  const one = database.prepare(`SELECT ${columns} FROM documents WHERE collection = ? AND key = ?`);
  const from = database.prepare(
    `SELECT ${columns} FROM documents WHERE collection = ? AND key >= ? AND key > ? ORDER BY key`,
  );
  const count = database.prepare('SELECT count(*) AS number FROM documents WHERE collection = ?');
  const insert = database.prepare(
    'INSERT INTO documents (collection, key, value, revision, changed_at) VALUES (?, ?, ?, ?, ?)',
  );
  const update = database.prepare(
    'UPDATE documents SET value = ?, revision = ?, changed_at = ? WHERE collection = ? AND key = ?',
  );
  const drop = database.prepare('DELETE FROM documents WHERE collection = ? AND key = ?');
  const describe = (key: string): string => `the document ${name}/${key} of the store ${file}`;

  const read = (row: Record<string, unknown>): StoredDocument<Value> => {
    const key = String(row.key);
    return {
      key,
      value: readValue(schema, describe(key), String(row.value)),
      revision: Number(row.revision),
      changedAt: String(row.changed_at),
    };
  };

  const find = (key: string): StoredDocument<Value> | null => {
    const row = one.get(name, key);
    return row === undefined ? null : read(row);
  };

  /** The revision is asked for by itself: a document that no longer fits can still be replaced. */
  const set = (key: string, value: Value): StoredDocument<Value> => {
    const written = writeValue(schema, describe(key), value);
    const before = one.get(name, key);
    const changedAt = new Date().toISOString();
    if (before === undefined) {
      if (Number(count.get(name)?.number) >= mostDocuments) {
        throw new HostError(`the store ${file} holds ${mostDocuments} documents of ${name}, and no more are kept`, {
          hint: 'remove some that are no longer needed',
        });
      }
      insert.run(name, key, written.text, 1, changedAt);
      return { key, value: written.value, revision: 1, changedAt };
    }
    const revision = Number(before.revision) + 1;
    update.run(written.text, revision, changedAt, name, key);
    return { key, value: written.value, revision, changedAt };
  };

  return {
    get(key) {
      checkKey(key);
      return place.read('read', () => find(key));
    },
    put(key, value) {
      checkKey(key);
      return place.write('write to', () => set(key, value));
    },
    change(key, change) {
      checkKey(key);
      return place.write('write to', () => {
        const before = find(key);
        const after = change(before === null ? null : before.value);
        if (after !== null) return set(key, after);
        if (before !== null) drop.run(name, key);
        return null;
      });
    },
    remove(key) {
      checkKey(key);
      return place.write('write to', () => Number(drop.run(name, key).changes) > 0);
    },
    list({ prefix = '', after = '', limit } = {}) {
      const most = readLimit(limit, mostDocuments);
      return place.read('read', () => {
        const found: StoredDocument<Value>[] = [];
        for (const row of from.iterate(name, prefix, after)) {
          // Keys with the prefix stand together.
          if (found.length >= most || !String(row.key).startsWith(prefix)) break;
          found.push(read(row));
        }
        return found;
      });
    },
  };
}
